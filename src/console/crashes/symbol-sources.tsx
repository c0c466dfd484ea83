import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import {
  DeleteSourceDocument,
  type SourceRowFragment,
  SymbolSourcesDocument,
  TestSourceDocument,
  type TestSourceMutation,
  UpdateSourceDocument,
} from '#documents';
import { noResponseInWords } from '../data/failures.js';
import { isolated } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { EditDelete } from '../parts/edit-delete.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { Panel } from '../parts/page.js';
import { WaitingRows } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { When } from '../parts/when.js';
import { LAYOUTS, SourceForm } from './source-form.js';

/** Symbol servers to search for missing symbols. Only admins see them, because an address may contain a secret. */
export function SymbolSources() {
  const { projectId } = useScope();
  const may = useMay('catch_symbol_source_view');
  const { data, error } = useDocument(SymbolSourcesDocument, { projectId }, { pause: !may });
  const [editing, setEditing] = useState<SourceRowFragment | 'new' | null>(null);
  if (!may) return null;
  const sources = data?.symbolSources?.nodes;
  return (
    <Panel
      title="Sources"
      aside={
        <Button variant="default" onClick={() => setEditing('new')}>
          New source
        </Button>
      }
    >
      {!sources && <WaitingRows rows={2} error={error} />}
      {sources?.length === 0 && (
        <Muted>
          No sources yet. Add a symbol server to look up missing symbols. Files it returns are stored like uploads.
        </Muted>
      )}
      {sources?.map((source) => (
        <SourceLine key={source.id} source={source} onEdit={() => setEditing(source)} />
      ))}
      {editing && <SourceForm source={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </Panel>
  );
}

type Tested = NonNullable<TestSourceMutation['testSymbolSource']>;

function SourceLine({ source, onEdit }: { source: SourceRowFragment; onEdit: () => void }) {
  const { id, name, layout, url, isEnabled, lastFoundAt, lastFailedAt, lastFailure } = source;
  const [tested, setTested] = useState<Tested | null>(null);
  const [test, testing] = useChange(TestSourceDocument);
  const [update, updating] = useChange(UpdateSourceDocument);
  const [remove] = useChange(DeleteSourceDocument, { quiet: true });
  const tryIt = async () => setTested((await test({ id })).data?.testSymbolSource ?? null);
  const turn = () =>
    update(
      { input: { id, isEnabled: !isEnabled } },
      isEnabled ? `${isolated(name)} disabled.` : `${isolated(name)} enabled.`,
    );
  return (
    <div className="entry">
      <div>
        <Group gap={6}>
          <strong>{name}</strong>
          <Badge color="gray">{LAYOUTS[layout]}</Badge>
          {!isEnabled && <Badge color="yellow">Disabled</Badge>}
        </Group>
        <Text size="xs" className="mono">
          {url}
        </Text>
        <Muted size="xs">
          {lastFoundAt ? 'last file found ' : 'no files found yet'}
          {lastFoundAt && <When at={lastFoundAt} />}
          {lastFailedAt && (
            <>
              ; last failed <When at={lastFailedAt} />: {lastFailure}
            </>
          )}
        </Muted>
        <Text size="xs" role="status" className={tested?.failure ? 'bad' : 'soft'}>
          {tested && outcomeOf(tested)}
        </Text>
      </div>
      <Group gap={4}>
        <Button variant="subtle" size="compact-xs" loading={testing} renderRoot={keepsFocus} onClick={tryIt}>
          Test
        </Button>
        <Button variant="subtle" size="compact-xs" loading={updating} renderRoot={keepsFocus} onClick={turn}>
          {isEnabled ? 'Disable' : 'Enable'}
        </Button>
        <EditDelete
          may
          what={isolated(name)}
          goesAlong={['Symbols are no longer looked up here. Files it has returned stay.']}
          remove={() => remove({ id }, `${isolated(name)} deleted.`)}
          onEdit={onEdit}
        />
      </Group>
    </div>
  );
}

const outcomeOf = ({ status, failure, milliseconds }: Tested): string =>
  failure
    ? `The test failed after ${milliseconds} ms: ${noResponseInWords(failure)}`
    : `Working: it answered ${status} for a file that doesn't exist, in ${milliseconds} ms.`;
