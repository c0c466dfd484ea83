import { Tabs } from '@mantine/core';
import { createContext, type ReactNode, useContext, useLayoutEffect } from 'react';
import { told } from '../data/told.js';
import { oneOf, useSearchState } from '../data/use-search-state.js';
import { Tag } from './tag.js';

interface PageTab {
  value: string;
  name: string;
  content: ReactNode;
}

/** What is edited in the page and not saved, each with its tab. */
const unsaved = told<readonly { tab: string }[]>([]);
const TabName = createContext('');

/** Says whether something is edited in this tab: while it is, the tab stays as it is when another one is shown. */
export function useUnsaved(isDirty: boolean): void {
  const tab = useContext(TabName);
  useLayoutEffect(() => {
    if (!isDirty) return undefined;
    const own = { tab };
    unsaved.set([...unsaved.get(), own]);
    return () => unsaved.set(unsaved.get().filter((one) => one !== own));
  }, [isDirty, tab]);
}

export const useHasUnsaved = (): boolean => unsaved.use().length > 0;

/** For a button that puts what is stored in force: it waits until what is edited is stored, too. */
export function useSavedFirst(may: boolean): { may: boolean; because?: string } {
  const isUnsaved = useHasUnsaved();
  return may && isUnsaved ? { may: false, because: 'Save or undo your changes first.' } : { may };
}

/** Parts of a page of which one is shown. The address names it; where it names none that is there, it is the first. */
export function PageTabs({ tabs }: { tabs: readonly [PageTab, ...PageTab[]] }) {
  const [search, change] = useSearchState();
  const kept = unsaved.use().map(({ tab }) => tab);
  const [{ value: first }, ...others] = tabs;
  const open = oneOf(search.tab, [first, ...others.map(({ value }) => value)]);
  /** Whatever else is in the address belongs to the tab that is left. */
  const nothing = Object.fromEntries(Object.keys(search).map((name) => [name, null]));
  return (
    <Tabs
      value={open}
      onChange={(tab) => change({ ...nothing, tab: tab === first ? null : tab }, {})}
      keepMountedMode="display-none"
    >
      <Tabs.List mb="md">
        {tabs.map(({ value, name }) => (
          <Tabs.Tab
            key={value}
            value={value}
            rightSection={value !== open && kept.includes(value) ? <Tag tone="warn">unsaved</Tag> : null}
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value} keepMounted={kept.includes(value)}>
          <TabName value={value}>{content}</TabName>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
