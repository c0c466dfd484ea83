import { Badge, Button, Group } from '@mantine/core';
import { useClient } from 'urql';
import {
  DeleteSymbolsDocument,
  MissingSymbolsDocument,
  SymbolDownloadDocument,
  type SymbolDownloadQuery,
  SymbolsDocument,
  type SymbolsQuery,
} from '#documents';
import { messageOf } from '../data/failures.js';
import { useLookWhenDue } from '../data/live.js';
import { isolated, notifyFailure } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { ConfirmedLoss } from '../parts/confirmed.js';
import { Page, Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { sizeInWords } from '../parts/short-numbers.js';
import { WaitingRows } from '../parts/states.js';
import { capitalized, Muted } from '../parts/text.js';
import { When } from '../parts/when.js';
import { WhoMay } from '../parts/who-may.js';
import { CrashTabs } from './crash-tabs.js';
import { SYMBOL_KIND_NAMES } from './symbol-kind-names.js';
import { SymbolSources } from './symbol-sources.js';
import { SymbolDrop } from './uploads/symbol-drop.js';

type Artifact = NonNullable<SymbolsQuery['symbolArtifacts']>['nodes'][number];

const STATES = { ready: 'teal', pending: 'gray', failed: 'red' } as const;

/** Missing symbols, stored symbols, and uploads. */
export function SymbolsPage() {
  return (
    <Page title="Crashes" section="Symbols">
      <CrashTabs here="symbols" />
      <Panel title="Missing">
        <Missing />
      </Panel>
      <Panel title="Upload">
        <WhoMay may={useMay('catch_symbol_upload')} weakest="editor" to="send symbol files">
          <SymbolDrop />
        </WhoMay>
      </Panel>
      <Panel title="Stored">
        <Stored />
      </Panel>
      <SymbolSources />
    </Page>
  );
}

function Missing() {
  const { projectId, environment } = useScope();
  const { data, error } = useDocument(MissingSymbolsDocument, { projectId, environment });
  const rows = data?.missingSymbols;
  if (!rows) return <WaitingRows rows={2} error={error} />;
  if (rows.length === 0) return <Muted>No events in the last 30 days are missing symbols.</Muted>;
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>Key</th>
          <th>Kind</th>
          <th>Release</th>
          <th>Events</th>
          <th>Last seen</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, debugId, symbolKind, release, events, lastSeenAt }) => (
          <tr key={`${symbolKind} ${key}`}>
            <td className="mono">{debugId ?? key}</td>
            <td>{SYMBOL_KIND_NAMES[symbolKind]}</td>
            <td className="mono" data-name="release">
              {release}
            </td>
            <td data-name="events">{events}</td>
            <td data-name="last">
              <When at={lastSeenAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Stored and safe, but whether it can be parsed isn't known until its tables are made. */
const isBeingRead = ({ status, indexedAt }: Pick<Artifact, 'status' | 'indexedAt'>) =>
  status === 'ready' && indexedAt === null;

const beingReadSince = (artifact: Artifact) => (isBeingRead(artifact) ? artifact.uploadedAt : null);

function Stored() {
  const { projectId, environment } = useScope();
  const client = useClient();
  const [remove] = useChange(DeleteSymbolsDocument, { quiet: true });
  const pages = usePages(SymbolsDocument, { projectId, environment }, ({ symbolArtifacts }) => symbolArtifacts);
  useLookWhenDue(pages.rows, beingReadSince);
  if (!pages.isKnown) return <WaitingRows rows={3} error={pages.error} />;
  if (pages.rows.length === 0)
    return (
      <Muted>
        No symbols yet. Upload them from CI with <code>npx quarterdeck symbols upload</code>, or drop files above.
      </Muted>
    );
  const download = async (id: string) => {
    const { data, error } = await client.query<SymbolDownloadQuery>(
      SymbolDownloadDocument.toString(),
      { id },
      { requestPolicy: 'network-only' },
    );
    const url = data?.symbolArtifact?.downloadUrl;
    if (url) window.location.assign(url);
    else notifyFailure(error ? messageOf(error) : 'This file is no longer available.');
  };
  return (
    <>
      <table className="plain-table">
        <thead>
          <tr>
            <th>File</th>
            <th>Kind</th>
            <th>Release</th>
            <th>State</th>
            <th>Uploaded</th>
            <th>
              <span className="soft">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {pages.rows.map((artifact) => (
            <tr key={artifact.id}>
              <td className="mono">
                {artifact.originalName}
                <Muted size="xs">
                  {artifact.matchKey}, {sizeInWords(Number(artifact.sizeBytes))}
                </Muted>
              </td>
              <td>{SYMBOL_KIND_NAMES[artifact.symbolKind]}</td>
              <td className="mono" data-name="release">
                {artifact.release}
              </td>
              <td>
                {isBeingRead(artifact) ? (
                  <Badge color="gray">Processing</Badge>
                ) : (
                  <Badge color={STATES[artifact.status]}>{capitalized(artifact.status)}</Badge>
                )}{' '}
                {artifact.failureReason ?? (artifact.detail === 'names' ? 'names only: ' : '')}
                {artifact.failureReason ? '' : artifact.detailReason}
              </td>
              <td data-name="uploaded">
                <When at={artifact.uploadedAt} />
              </td>
              <td>
                <Group gap={4}>
                  <Button variant="subtle" size="compact-xs" onClick={() => download(artifact.id)}>
                    Download
                  </Button>
                  <ConfirmedLoss
                    may={artifact.viewerCan.includes('catch_symbol_delete')}
                    action="Delete"
                    what={isolated(artifact.originalName)}
                    goesAlong={[
                      'New crashes, and those you symbolicate again, no longer use it. Frames that are already symbolicated keep their names.',
                    ]}
                    run={() => remove({ id: artifact.id }, `${isolated(artifact.originalName)} deleted.`)}
                  />
                </Group>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More pages={pages}>Load more</More>
    </>
  );
}
