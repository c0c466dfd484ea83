import { awaitReading } from '../server/await-reading.js';
import { withRetries } from '../server/retries.js';
import { Refused, Unreachable } from '../server/server-failures.js';
import { type UploadedArtifact, uploadFile } from '../server/upload-file.js';
import { uploadInParts, WHOLE_BYTES } from '../server/upload-in-parts.js';
import type { CliSettings } from '../settings/settings.js';
import { sideBySide } from '../side-by-side.js';
import { clearProgress, printMessage, shownSize, showProgress } from '../terminal.js';
import { type FileOutcome, outcomeOf, type PreparedFile } from './prepared-file.js';
import { fieldsOf, type UploadOptions } from './upload-options.js';

const SENT_AT_ONCE = 4;

interface Sent {
  file: PreparedFile;
  outcome: FileOutcome;
  artifact: UploadedArtifact | null;
}

/**
 * Sends files, four at a time, and waits until the server has processed them. Throws Refused or Unreachable when the
 * server accepted none.
 */
export async function sendFiles(
  settings: CliSettings,
  options: UploadOptions,
  files: readonly PreparedFile[],
): Promise<FileOutcome[]> {
  const progress = new Progress(files);
  const sent: Sent[] = [];
  let stopped: Refused | Unreachable | null = null;
  await sideBySide(files, SENT_AT_ONCE, async (file) => {
    const one: Sent = { file, outcome: outcomeOf(file, 'failed', null), artifact: null };
    sent.push(one);
    if (stopped !== null) {
      one.outcome.reason = 'not sent, because the server refuses all files';
      return;
    }
    try {
      one.artifact = await sendFile(settings, options, file, progress, one.outcome);
      one.outcome.artifact_id = one.artifact.id;
      one.outcome.match_key = one.artifact.match_key || one.outcome.match_key;
    } catch (error) {
      one.outcome.reason = (error as Error).message;
      if (error instanceof Unreachable || (error instanceof Refused && error.refusesAll)) stopped = error;
    }
    progress.done();
  });
  clearProgress();
  if (stopped !== null && sent.every(({ artifact }) => artifact === null)) throw stopped;
  await recordReadings(settings, options, sent);
  const outcomes = new Map(sent.map(({ file, outcome }) => [file, outcome]));
  return files.flatMap((file) => outcomes.get(file) ?? []);
}

function sendFile(
  settings: CliSettings,
  options: UploadOptions,
  { file, path, sizeBytes, sha256 }: PreparedFile,
  progress: Progress,
  outcome: FileOutcome,
): Promise<UploadedArtifact> {
  const fields = fieldsOf(options, file.kind, file.matchKey);
  const notice = (line: string) => printMessage(`${file.shown}: ${line}`);
  const sending = (bytes: number) => {
    outcome.sent_bytes += bytes;
  };
  const whole = { path, name: file.name, sizeBytes, sha256, fields };
  if (sizeBytes > WHOLE_BYTES) return uploadInParts(settings, whole, (bytes) => progress.add(bytes), sending, notice);
  const sentNow = (bytes: number) => {
    sending(bytes);
    progress.add(bytes);
  };
  return withRetries(() => uploadFile(settings, whole, sentNow), notice);
}

/** Records for each sent file how the server processed it. */
async function recordReadings(settings: CliSettings, options: UploadOptions, sent: readonly Sent[]): Promise<void> {
  const artifacts = sent.flatMap(({ artifact }) => artifact ?? []);
  for (const one of sent) if (one.artifact !== null) one.outcome.status = 'stored';
  const [first] = artifacts;
  if (first === undefined || options.waitMs === 0) return;
  const place = { project: first.project_id, environment: first.environment };
  try {
    const { failed, lacking, waiting } = await awaitReading(settings, place, artifacts, options.waitMs);
    for (const { file, artifact, outcome } of sent) {
      if (artifact === null || waiting.has(artifact.id)) continue;
      const reason = failed.get(artifact.id);
      outcome.status = reason === undefined ? 'usable' : 'failed';
      outcome.reason =
        reason === undefined
          ? (lacking.get(artifact.id) ?? null)
          : `the server cannot use it as ${file.file.kind}: ${reason}`;
    }
  } catch (error) {
    printMessage(`Could not find out whether the files are usable: ${(error as Error).message}`);
  }
}

class Progress {
  private readonly total: number;
  private sentBytes = 0;
  private sentFiles = 0;

  constructor(private readonly files: readonly PreparedFile[]) {
    this.total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  add(bytes: number): void {
    this.sentBytes = Math.min(this.total, this.sentBytes + bytes);
    this.show();
  }

  done(): void {
    this.sentFiles += 1;
    this.show();
  }

  private show(): void {
    showProgress(
      `${this.sentFiles} of ${this.files.length} files, ${shownSize(this.sentBytes)} of ${shownSize(this.total)} sent`,
    );
  }
}
