import { Alert, Stack, Text } from '@mantine/core';
import {
  ConfigHistoryDocument,
  type ConfigValueType,
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
import { readable } from './item-draft.js';

/** The value, followed by the rules. */
const textOfType =
  (type: ConfigValueType) =>
  (value: string, rules: unknown): string =>
    `value: ${readable(type, value)}\nrules: ${JSON.stringify(rules, null, 2)}`;

/** Every version of an item, newest first. Compare any two, or roll back to one after a preview. */
export function ItemHistory({ item }: { item: ItemWholeFragment }) {
  const pages = usePages(ConfigHistoryDocument, { itemId: item.id }, (data) => data.configItem?.versions);
  const textOf = textOfType(item.type);
  const [rollBack] = useChange(RollbackConfigItemDocument);
  return (
    <VersionTimeline
      pages={pages}
      currentVersion={item.currentVersion}
      currentText={textOf(item.defaultValue, item.rules)}
      textOf={({ valueSnapshot, rule }) => textOf(valueSnapshot, rule)}
      mayRestore={item.viewerCan.includes('config_item_roll_back') && !item.isArchived}
      preview={({ id }) => <Preview itemId={item.id} versionId={id} textOf={textOf} />}
      restore={async ({ id, versionNumber }, note) => {
        const { error } = await rollBack(
          { input: { itemId: item.id, versionId: id, note, expectedVersion: item.currentVersion } },
          `Rolled back to version ${versionNumber}.`,
        );
        return !error;
      }}
    />
  );
}

interface PreviewProps {
  itemId: string;
  versionId: string;
  textOf: (value: string, rules: unknown) => string;
}

function Preview({ itemId, versionId, textOf }: PreviewProps) {
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
        <Text size="sm">Nothing would change: the current value and rules match that version.</Text>
      )}
    </Stack>
  );
}
