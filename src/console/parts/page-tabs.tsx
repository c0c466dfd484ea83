import { Tabs } from '@mantine/core';
import { createContext, type ReactNode, useContext, useLayoutEffect } from 'react';
import { createStore } from '../data/store.js';
import { oneOf, useSearchState } from '../data/use-search-state.js';
import { Tag } from './tag.js';

interface PageTab {
  value: string;
  name: string;
  content: ReactNode;
}

/** Unsaved edits on the page, each with its tab. */
const unsaved = createStore<readonly { tab: string }[]>([]);
const TabName = createContext('');

/** Reports whether this tab has unsaved edits. While it does, the tab stays mounted when another is shown. */
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

/** For a button that acts on the saved state: it is disabled until edits are saved too. */
export function useSavedFirst(may: boolean): { may: boolean; because?: string } {
  const isUnsaved = useHasUnsaved();
  return may && isUnsaved ? { may: false, because: 'Save or discard your changes first.' } : { may };
}

/** Tabs of a page. The address names the open one; if it names none that exists, the first is shown. */
export function PageTabs({ tabs }: { tabs: readonly [PageTab, ...PageTab[]] }) {
  const [search, change] = useSearchState();
  const kept = unsaved.use().map(({ tab }) => tab);
  const [{ value: first }, ...others] = tabs;
  const open = oneOf(search.tab, [first, ...others.map(({ value }) => value)]);
  /** The rest of the search parameters belong to the tab being left. */
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
            rightSection={value !== open && kept.includes(value) ? <Tag tone="warn">Unsaved</Tag> : null}
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
