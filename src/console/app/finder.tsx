import { ActionIcon, Button, Kbd, Text } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useEffect, useRef, useState } from 'react';
import { FindDocument } from '#documents';
import { useGoTo, useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { isDialogOpen } from '../parts/dialog.js';
import { SearchIcon } from '../parts/icons.js';
import { COMMAND_KEY } from '../parts/text.js';
import { destinations } from './destinations.js';
import { type Found, useActions, useHalts } from './finder-actions.js';
import { focusedRow, offeredHere } from './offered.js';

const [store, spotlight] = createSpotlight();

/** Over a dialog, the finder would compete for Escape and could navigate away from unsaved input. */
const find = () => {
  if (!isDialogOpen()) spotlight.open();
};

export function FinderButton() {
  return (
    <>
      <Button
        className="find"
        variant="default"
        onClick={spotlight.open}
        rightSection={<Kbd size="xs">{COMMAND_KEY}K</Kbd>}
        visibleFrom="sm"
      >
        Find
      </Button>
      <ActionIcon variant="default" size="md" aria-label="Find" onClick={spotlight.open} hiddenFrom="sm">
        <SearchIcon />
      </ActionIcon>
    </>
  );
}

/**
 * ⌘K or Ctrl+K: actions on the object in view, every page, global actions, and flags, config items, crash issues, surveys and
 * boards by name. `g` and a letter jump to a page.
 */
export function Finder() {
  const scope = useScope();
  const goTo = useGoTo();
  const [text, setText] = useState('');
  const row = useRef<Element | null>(null);
  const [offered, setOffered] = useState<readonly Found[]>([]);
  const typed = text.trim().toLowerCase();
  // "halt checkout" searches for the flag to halt; Enter opens the halt dialog.
  const wanted = text.trim().replace(/^halt\s+/i, '');
  const [search] = useDebouncedValue(wanted, 150);
  const { projectId, environment } = scope;
  const { data, fetching } = useDocument(
    FindDocument,
    { projectId, environment, search },
    { pause: search.length < 2, standsIn: true },
  );
  useShortcuts();
  useHotkeys([['/', find]]);
  useHotkeys([['mod + K', find]], [], true);
  const actions = useActions(text);
  const halts = useHalts();
  const found = typed.length < 2 ? null : data?.project;
  // The previous answer is filtered until the next one arrives, so Enter never opens something that isn't on screen.
  const fitting = (rows: readonly Found[]): Found[] =>
    rows.filter(({ label, words = '' }) => `${label} ${words}`.toLowerCase().includes(typed));
  const named = (path: string, rows: readonly { id: string; label: string; to?: string }[] = []): Found[] =>
    rows.map(({ id, label, to }) => ({ id, label, run: () => goTo(path, to ?? id) }));
  const isAnswered = search === wanted && !fetching;
  const answered = (rows: readonly Found[]): Found[] => (isAnswered ? [...rows] : fitting(rows));
  const isOffered = new Set(offered.map(({ label }) => label));
  const groups = {
    Here: fitting(offered),
    Pages: fitting(
      destinations(scope).map(({ name, path, words }) => ({
        id: `page ${path}`,
        label: name,
        words,
        run: () => goTo(...(path ? [path] : [])),
      })),
    ),
    Actions: fitting(actions),
    Flags: answered(
      named(
        'flags',
        found?.flags.nodes.map(({ id, key }) => ({ id, label: key, to: key })),
      ),
    ),
    Config: answered(
      named(
        'config',
        found?.configItems.nodes.map(({ id, key }) => ({ id, label: key, to: key })),
      ),
    ),
    Crashes: answered(
      named(
        'crashes',
        found?.crashIssues.nodes.map(({ id, title }) => ({ id, label: title })),
      ),
    ),
    Surveys: answered(
      named(
        'surveys',
        found?.surveys.nodes.map(({ id, name }) => ({ id, label: name })),
      ),
    ),
    Boards: answered(
      named(
        'boards',
        found?.boards.nodes.map(({ id, name }) => ({ id, label: name })),
      ),
    ),
    Halt: answered(halts(found?.flags.nodes ?? []).filter(({ label }) => !isOffered.has(label))),
  };
  const { Halt, ...others } = groups;
  const ordered = wanted === text.trim() ? groups : { Halt, ...others };
  const lines = Object.values(ordered).flat();
  useSteadyChoice(lines.map(({ id }) => id).join('\n'));
  return (
    <Spotlight
      store={store}
      query={text}
      onQueryChange={(next) => {
        setText(next);
        setOffered(offeredHere(row.current));
      }}
      attributes={{ content: { 'aria-label': 'Find' } }}
      onSpotlightOpen={() => {
        row.current = focusedRow();
        setOffered(offeredHere(row.current));
      }}
      // The displayed entries are filtered above.
      filter={(_query, shown) => shown}
      shortcut={null}
      scrollable
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.3 }}
      maxHeight={420}
      highlightQuery
      nothingFound={<Text size="sm">{isAnswered ? 'No results.' : 'Searching…'}</Text>}
      searchProps={{
        placeholder: 'Search pages, actions, flags, config items, issues, surveys and boards',
        'aria-label': 'Find',
      }}
      actions={Object.entries(ordered)
        .filter(([, rows]) => rows.length > 0)
        .map(([group, rows]) => ({
          group,
          actions: rows.map(({ id, label, run }) => ({ id, label, onClick: run })),
        }))}
    />
  );
}

/** The library tracks the selected line by index: when an answer reorders the lines, the index follows the line. */
function useSteadyChoice(lines: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection is read only when the lines change
  useEffect(() => {
    const { listId, opened } = store.getState();
    const shown = [...(document.getElementById(listId)?.querySelectorAll('[data-action]') ?? [])];
    if (!opened || shown.length === 0) return;
    const chosen = Math.max(
      0,
      shown.findIndex((line) => line.hasAttribute('data-selected')),
    );
    shown[chosen]?.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: chosen }));
  }, [lines]);
}

/** Global key handling, outside React. After `g`, waits a second for a page's letter. */
function useShortcuts(): void {
  const scope = useScope();
  const goTo = useGoTo();
  useEffect(() => {
    let begun = 0;
    const listen = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.metaKey || event.ctrlKey || event.altKey || isDialogOpen()) return;
      if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=dialog]'))
        return;
      const place = destinations(scope).find((one) => one.key === key);
      if (place && Date.now() - begun < 1_000) {
        event.preventDefault();
        goTo(...(place.path ? [place.path] : []));
      }
      begun = key === 'g' ? Date.now() : 0;
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [scope, goTo]);
}
