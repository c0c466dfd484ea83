import { ActionIcon, Button, Kbd, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { FindDocument } from '#documents';
import { useDocument } from '../data/use-document.js';
import { destinations } from './destinations.js';
import { SearchIcon } from './icons.js';
import { useGoTo, useScope } from './scope.js';

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

/** ⌘K: every page, and flags, items, issues and surveys by name. `g` and a letter go to a page at once. */
export function Finder() {
  const scope = useScope();
  const goTo = useGoTo();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 150);
  const { projectId, environment } = scope;
  const { data } = useDocument(FindDocument, { projectId, environment, search }, { pause: search.length < 2 });
  useShortcuts();
  const found = search.length < 2 ? null : data?.project;
  const group = (
    name: string,
    path: string,
    rows: readonly { id: string; label: string; to?: string }[],
  ): SpotlightActionGroupData[] =>
    rows.length === 0
      ? []
      : [
          {
            group: name,
            actions: rows.map(({ id, label, to }) => ({
              id,
              label,
              keywords: [search],
              onClick: () => goTo(path, to ?? id),
            })),
          },
        ];
  return (
    <Spotlight
      query={text}
      onQueryChange={setText}
      shortcut={['mod + K', '/']}
      scrollable
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.3 }}
      maxHeight={420}
      highlightQuery
      nothingFound={<Text size="sm">Nothing here has that name.</Text>}
      searchProps={{ placeholder: 'Find a page, flag, item, issue or survey', 'aria-label': 'Find' }}
      actions={[
        {
          group: 'Pages',
          actions: destinations(scope).map(({ name, path, words }) => ({
            id: `page ${path}`,
            label: name,
            keywords: words,
            onClick: () => goTo(...(path ? [path] : [])),
          })),
        },
        ...group('Flags', 'flags', found?.flags.nodes.map(({ id, key }) => ({ id, label: key, to: key })) ?? []),
        ...group(
          'Config',
          'config',
          found?.configItems.nodes.map(({ id, key }) => ({ id, label: key, to: key })) ?? [],
        ),
        ...group('Crashes', 'crashes', found?.crashIssues.nodes.map(({ id, title }) => ({ id, label: title })) ?? []),
        ...group('Surveys', 'surveys', found?.surveys.nodes.map(({ id, name }) => ({ id, label: name })) ?? []),
      ]}
    />
  );
}

/** The keyboard is outside of React: `g` waits a second for the letter of a page. */
function useShortcuts(): void {
  const scope = useScope();
  const goTo = useGoTo();
  useEffect(() => {
    let begun = 0;
    const listen = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
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
