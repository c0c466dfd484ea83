import { findSymbolFiles, LOOKED_FOR, type SymbolFile } from '../files/find-symbol-files.js';
import { withScratch } from '../scratch.js';
import { type CliSettings, UsageError } from '../settings/settings.js';
import { sideBySide } from '../side-by-side.js';
import { printJson, printLine, printMessage, shownSize } from '../terminal.js';
import { alreadyStored } from './already-stored.js';
import { type FileOutcome, outcomeOf, type PreparedFile, prepareFile } from './prepared-file.js';
import { sendFiles } from './send-files.js';
import type { UploadOptions } from './upload-options.js';

const PREPARED_AT_ONCE = 4;

/**
 * Uploads the symbol files at the paths that the server does not have yet, and waits until it has processed them;
 * without settings it only shows what it would send. Returns 0, or 1 when one failed or none was found. Throws
 * UsageError, and Refused or Unreachable when the server accepts none.
 */
export async function uploadSymbols(settings: CliSettings | null, options: UploadOptions): Promise<number> {
  return withScratch(async (scratch) => {
    const { files, leftOut } = await findSymbolFiles({ ...options, scratch });
    if (options.matchKey !== undefined && files.length > 1)
      throw new UsageError(
        `--match-key works with a single file, but ${files.length} were found. Pass the path of one file.`,
      );
    const outcomes: FileOutcome[] = [];
    for (const { shown, reason, isUnreadable } of leftOut) {
      if (isUnreadable) outcomes.push(outcomeOf(shown, 'failed', reason));
      else printMessage(`${shown}: left out, ${reason}`);
    }
    if (files.length === 0) printMessage(nothingFound(options));
    const prepared = await prepare(files, scratch, outcomes);
    if (settings === null) {
      for (const one of prepared) outcomes.push(outcomeOf(one, 'found', null));
    } else {
      const there = await alreadyStored(settings, options, prepared);
      for (const [one, { id }] of there)
        outcomes.push({ ...outcomeOf(one, 'skipped', 'the server already has it'), artifact_id: id });
      const wanted = prepared.filter((one) => !there.has(one));
      if (wanted.length > 0) printMessage(`Sending ${contentsOf(wanted)}.`);
      outcomes.push(...(await sendFiles(settings, options, wanted)));
    }
    report(outcomes, options, settings === null);
    return outcomes.length > 0 && outcomes.every(({ status }) => status !== 'failed') ? 0 : 1;
  });
}

async function prepare(
  files: readonly SymbolFile[],
  scratch: string,
  outcomes: FileOutcome[],
): Promise<PreparedFile[]> {
  const prepared = new Map<SymbolFile, PreparedFile>();
  await sideBySide(files, PREPARED_AT_ONCE, async (file) => {
    try {
      prepared.set(file, await prepareFile(file, scratch));
    } catch (error) {
      outcomes.push(outcomeOf(file.shown, 'failed', `could not be read: ${(error as Error).message}`));
    }
  });
  return files.flatMap((file) => prepared.get(file) ?? []);
}

function report(outcomes: FileOutcome[], options: UploadOptions, isDryRun: boolean): void {
  const count = (status: FileOutcome['status']) => outcomes.filter((outcome) => outcome.status === status).length;
  const counts = {
    usable: count('usable'),
    failed: count('failed'),
    skipped: count('skipped'),
    stored: count('stored'),
    ...(isDryRun && { found: count('found') }),
  };
  if (options.json) {
    const { release, commit, environment = 'live' } = options;
    printJson({ release, commit, environment, dry_run: isDryRun, ...counts, files: outcomes });
  } else {
    for (const outcome of outcomes) printLine(lineOf(outcome));
  }
  if (isDryRun) printMessage(`${count('found')} would be uploaded, ${counts.failed} failed.`);
  else
    printMessage(
      `${counts.usable} usable, ${counts.failed} failed, ${counts.skipped} skipped (already on the server).`,
    );
  if (counts.stored > 0) printMessage(`${counts.stored} stored but not processed yet.`);
}

function lineOf({
  status,
  path,
  kind,
  match_key: key,
  artifact_id: id,
  reason,
  size_bytes: size,
}: FileOutcome): string {
  const what = [kind, size === null ? null : shownSize(size), key && `(${key})`, id].filter(Boolean).join(' ');
  return `${status.padEnd(8)}${path}${what && `  ${what}`}${reason === null ? '' : `: ${reason}`}`;
}

/** `3 js_sourcemap and 1 ios_dsym, 1.5 MB`: what is about to be sent, so that someone who named the wrong folder can stop. */
function contentsOf(files: readonly PreparedFile[]): string {
  const byKind = Map.groupBy(files, ({ file }) => file.kind);
  const kinds = [...byKind].map(([kind, { length }]) => `${length} ${kind}`);
  return `${kinds.join(' and ')}, ${shownSize(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))}`;
}

const nothingFound = ({ kind, paths }: UploadOptions): string =>
  `No symbol files found in ${paths.join(', ')}. Looked by content for: ${kind ?? LOOKED_FOR}.`;
