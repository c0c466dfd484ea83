import type { Kind } from '../files/recognise-file.js';
import { type StoredArtifact, storedArtifacts } from '../server/stored-artifacts.js';
import type { CliSettings, CommonOptions } from '../settings/settings.js';
import { printJson, printLine, printMessage, shownSize } from '../terminal.js';

export interface ListOptions extends CommonOptions {
  kind?: Kind | undefined;
  release: string | null;
  /** How many to show, newest first. */
  limit: number;
}

/** Lists the server's symbol files, newest first. Throws UsageError, Refused, Unreachable. */
export async function listSymbols(settings: CliSettings, options: ListOptions): Promise<number> {
  const { project, environment, kind, release } = options;
  const filter = { ...(kind && { kind: { eq: kind } }), ...(release && { release: { eq: release } }) };
  const artifacts: StoredArtifact[] = [];
  for await (const artifact of storedArtifacts(settings, { project, environment, filter })) {
    if (artifacts.length === options.limit) break;
    artifacts.push(artifact);
  }
  if (options.json) printJson({ artifacts: artifacts.map(presented) });
  else for (const artifact of artifacts) printLine(lineOf(artifact));
  printMessage(`${artifacts.length} shown.`);
  return 0;
}

/** With the field names of the REST API. */
const presented = (artifact: StoredArtifact) => ({
  id: artifact.id,
  kind: artifact.symbolKind,
  release: artifact.release,
  match_key: artifact.matchKey,
  size_bytes: Number(artifact.sizeBytes),
  sha256: artifact.sha256,
  status: artifact.status,
  detail: artifact.detail,
  reason: artifact.failureReason ?? artifact.detailReason,
  original_name: artifact.originalName,
  uploaded_at: artifact.uploadedAt,
});

function lineOf(artifact: StoredArtifact): string {
  const { id, symbolKind, status, detail, release, matchKey, sizeBytes, uploadedAt } = artifact;
  const state = status === 'ready' && detail !== null && detail !== 'full' ? detail : status;
  const size = shownSize(Number(sizeBytes));
  return [id, state.padEnd(7), symbolKind.padEnd(15), size.padStart(9), uploadedAt, release || '-', matchKey].join(
    '  ',
  );
}
