import { Tabs } from '@mantine/core';
import { useGoTo, useMay } from '../data/scope.js';

export function EventTabs({ here }: { here: 'events' | 'people' | 'cohorts' }) {
  const goTo = useGoTo();
  const maySearch = useMay('person_search');
  const maySeeCohorts = useMay('cohort_view');
  return (
    <Tabs
      value={here}
      // Each tab is a page of its own: the arrow keys choose one, Enter goes there.
      activateTabWithKeyboard={false}
      onChange={(place) => goTo(...(place === 'events' ? ['events'] : ['events', place ?? '']))}
      mb="sm"
    >
      <Tabs.List>
        <Tabs.Tab value="events">Events</Tabs.Tab>
        {maySearch && <Tabs.Tab value="people">People</Tabs.Tab>}
        {maySeeCohorts && <Tabs.Tab value="cohorts">Cohorts</Tabs.Tab>}
      </Tabs.List>
    </Tabs>
  );
}
