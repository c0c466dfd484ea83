import { type StoredArtifact, storedArtifacts } from '../server/stored-artifacts.js';
import type { CliSettings } from '../settings/settings.js';
import type { PreparedFile } from './prepared-file.js';
import type { UploadOptions } from './upload-options.js';

const ASKED_AT_ONCE = 100;

/** Artifacts that already hold the same bytes under the same key, by file. Throws UsageError, Refused, Unreachable. */
export async function alreadyStored(
  settings: CliSettings,
  options: UploadOptions,
  files: readonly PreparedFile[],
): Promise<Map<PreparedFile, StoredArtifact>> {
  const stored = new Map<PreparedFile, StoredArtifact>();
  const { project, environment } = options;
  for (let at = 0; at < files.length; at += ASKED_AT_ONCE) {
    const asked = files.slice(at, at + ASKED_AT_ONCE);
    const filter = { sha256: { in: asked.map(({ sha256 }) => sha256) } };
    for await (const artifact of storedArtifacts(settings, { project, environment, filter })) {
      for (const file of asked.filter((one) => isSame(one, artifact, options))) stored.set(file, artifact);
    }
  }
  return stored;
}

function isSame({ file, sha256 }: PreparedFile, artifact: StoredArtifact, options: UploadOptions): boolean {
  const key = options.matchKey ?? file.matchKey;
  return (
    artifact.status !== 'failed' &&
    artifact.sha256 === sha256 &&
    artifact.symbolKind === file.kind &&
    artifact.release === (options.release ?? '') &&
    (key === null || artifact.matchKey === key)
  );
}
