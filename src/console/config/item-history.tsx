import { Alert, Stack, Text } from '@mantine/core';
import {
  ConfigHistoryDocument,
  type ItemWholeFragment,
  PreviewRollbackDocument,
  RollbackConfigItemDocument,
} from '#documents';
import { messageOf } from '../data/failures.js';
import { useChange, useDocument } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { DiffView } from '../editor/diff-view.js';
import { VersionTimeline } from '../editor/version-timeline.js';
import { Waiting } from '../parts/states.js';
import { parsed } from './item-draft.js';

const textOf = (value: string, rules: unknown): string => JSON.stringify({ value: parsed(value), rules }, null, 2);

/** Every version of an item, newest first; any two compared; any one rolled back to, after a preview. */
export function ItemHistory({ item }: { item: ItemWholeFragment }) {
  const pages = usePages(ConfigHistoryDocument, { itemId: item.id }, (data) => data.configItem?.versions);
  const [rollBack] = useChange(RollbackConfigItemDocument);
  return (
    <VersionTimeline
      pages={pages}
      currentVersion={item.currentVersion}
      currentText={textOf(item.defaultValue, item.rules)}
      textOf={({ valueSnapshot, rule }) => textOf(valueSnapshot, rule)}
      mayRestore={item.viewerCan.includes('config_item_roll_back') && !item.isArchived}
      preview={({ id }) => <Preview itemId={item.id} versionId={id} />}
      restore={async ({ id, versionNumber }, note) => {
        const { error } = await rollBack(
          { input: { itemId: item.id, versionId: id, note, expectedVersion: item.currentVersion } },
          `Back to version ${versionNumber}.`,
        );
        return !error;
      }}
    />
  );
}

function Preview({ itemId, versionId }: { itemId: string; versionId: string }) {
  const { data, error } = useDocument(
    PreviewRollbackDocument,
    { itemId, versionId },
    { requestPolicy: 'network-only' },
  );
  const preview = data?.previewRollback;
  if (error) return <Alert color="red">{messageOf(error)}</Alert>;
  if (!preview) return <Waiting />;
  return (
    <Stack gap="xs">
      {preview.obstacle && <Alert color="red">{preview.obstacle}</Alert>}
      {preview.changes ? (
        <DiffView
          before={textOf(preview.currentValue, preview.currentRules)}
          after={textOf(preview.restoredValue, preview.restoredRules)}
        />
      ) : (
        <Text size="sm">Nothing would change: value and rules are those of that version.</Text>
      )}
    </Stack>
  );
}
