import { ActionIcon, Button, Kbd, Text } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useEffect, useRef, useState } from 'react';
import { FindDocument } from '#documents';
import { useGoTo, useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { isDialogOpen } from '../parts/dialog.js';
import { SearchIcon } from '../parts/icons.js';
import { destinations } from './destinations.js';
import { type Found, useActions, useHalts } from './finder-actions.js';
import { focusedRow, offeredHere } from './offered.js';

const [store, spotlight] = createSpotlight();

/** Over a dialog it would share the Escape key with it, and lead away from what was typed there. */
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
        rightSection={<Kbd size="xs">⌘K</Kbd>}
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

/** ⌘K: what one can do with the object in view, every page, what one can do from anywhere, and flags, items, issues and surveys by name. `g` and a letter go to a page at once. */
export function Finder() {
  const scope = useScope();
  const goTo = useGoTo();
  const [text, setText] = useState('');
  const row = useRef<Element | null>(null);
  const [offered, setOffered] = useState<readonly Found[]>([]);
  const typed = text.trim().toLowerCase();
  // "halt checkout" looks for the flag that is to be halted, and Enter asks for its halt.
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
  // An answer to what was typed before stands in for the next one as far as it fits, so that Enter never opens what is not on the screen.
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
      onSpotlightOpen={() => {
        row.current = focusedRow();
        setOffered(offeredHere(row.current));
      }}
      // What is shown was chosen above.
      filter={(_query, shown) => shown}
      shortcut={null}
      scrollable
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.3 }}
      maxHeight={420}
      highlightQuery
      nothingFound={<Text size="sm">{isAnswered ? 'Nothing here has that name.' : 'Looking…'}</Text>}
      searchProps={{ placeholder: 'Find a page, an action, a flag, item, issue or survey', 'aria-label': 'Find' }}
      actions={Object.entries(ordered)
        .filter(([, rows]) => rows.length > 0)
        .map(([group, rows]) => ({
          group,
          actions: rows.map(({ id, label, run }) => ({ id, label, onClick: run })),
        }))}
    />
  );
}

/** The library knows the chosen line by its number: when an answer puts others before it, the number follows the line. */
function useSteadyChoice(lines: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen is looked at when the lines are others
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

/** The keyboard is outside React: `g` waits a second for the letter of a page. */
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
