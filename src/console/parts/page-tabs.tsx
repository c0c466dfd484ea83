import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { oneOf, useSearchState } from '../data/use-search-state.js';

interface PageTab {
  value: string;
  name: string;
  content: ReactNode;
}

/** Parts of a page of which one is shown. The address names it; where it names none that is there, it is the first. */
export function PageTabs({ tabs }: { tabs: readonly [PageTab, ...PageTab[]] }) {
  const [search, change] = useSearchState();
  const [{ value: first }, ...others] = tabs;
  const open = oneOf(search.tab, [first, ...others.map(({ value }) => value)]);
  /** Whatever else is in the address belongs to the tab that is left. */
  const nothing = Object.fromEntries(Object.keys(search).map((name) => [name, null]));
  return (
    <Tabs value={open} onChange={(tab) => change({ ...nothing, tab: tab === first ? null : tab }, {})}>
      <Tabs.List mb="md">
        {tabs.map(({ value, name }) => (
          <Tabs.Tab key={value} value={value}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
