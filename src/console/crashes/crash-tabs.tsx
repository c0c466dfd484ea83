import { Tabs } from '@mantine/core';
import { useGoTo } from '../data/scope.js';

type Place = 'issues' | 'symbols' | 'profiles' | 'alerts';

export function CrashTabs({ here }: { here: Place }) {
  const goTo = useGoTo();
  const open = (place: string | null) => (place === 'issues' ? goTo('crashes') : goTo('crashes', place ?? ''));
  return (
    // Each tab is a page of its own: the arrow keys choose one, Enter goes there.
    <Tabs value={here} onChange={open} activateTabWithKeyboard={false} mb="sm">
      <Tabs.List>
        <Tabs.Tab value="issues">Issues</Tabs.Tab>
        <Tabs.Tab value="symbols">Symbols</Tabs.Tab>
        <Tabs.Tab value="profiles">Profiles</Tabs.Tab>
        <Tabs.Tab value="alerts">Alerts</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
}
