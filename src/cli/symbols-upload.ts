import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awaitReading } from './await-reading.js';
import { Refused } from './server-failures.js';
import type { CliSettings } from './settings.js';
import { conventionOf, findSymbolFiles, type SymbolFile } from './symbol-files.js';
import { type UploadedArtifact, uploadFile } from './upload-file.js';
import { zipFolder } from './zip-folder.js';

/** What `symbols upload` was asked. */
export interface UploadOptions {
  kind: string;
  paths: string[];
  release?: string | undefined;
  environment?: string | undefined;
  matchKey?: string | undefined;
  commit?: string | undefined;
  project?: string | undefined;
  /** How long to wait for the server to read the files. */
  waitMs: number;
}

type Say = (line: string) => void;

/** An uploaded file and its artifact. */
interface Uploaded {
  path: string;
  artifact: UploadedArtifact;
}

/**
 * Uploads all symbol files at the paths, one after the other, and waits until the server has read them. Returns 0, or 1 when
 * one of them failed or none was found.
 */
export async function uploadSymbols(settings: CliSettings, options: UploadOptions, say: Say): Promise<number> {
  const files = await findSymbolFiles(options.kind, options.paths);
  if (files.length === 0) {
    say(
      `No ${options.kind} files were found in ${options.paths.join(', ')}: looked for ${conventionOf(options.kind)}.`,
    );
    return 1;
  }
  const uploaded: Uploaded[] = [];
  for (const [index, file] of files.entries()) {
    const place = `[${index + 1}/${files.length}] ${file.path}`;
    try {
      const artifact = await uploadOne(settings, options, file, (line) => say(`${place}: ${line}`));
      uploaded.push({ path: file.path, artifact });
      say(`${place}: ${artifact.id}${artifact.match_key ? ` (${artifact.match_key})` : ''}`);
    } catch (error) {
      say(`${place}: failed, ${(error as Error).message}`);
      if (error instanceof Refused && error.refusesAll) break;
    }
  }
  say(`${uploaded.length} of ${files.length} uploaded.`);
  const unusable = await sayReadings(settings, options, uploaded, say);
  return uploaded.length === files.length && unusable === 0 ? 0 : 1;
}

/** Says which files the server could not read. Returns how many. */
async function sayReadings(
  settings: CliSettings,
  options: UploadOptions,
  uploaded: Uploaded[],
  say: Say,
): Promise<number> {
  const [first] = uploaded;
  if (first === undefined || options.waitMs === 0) return 0;
  const ids = uploaded.map(({ artifact }) => artifact.id);
  const place = { project: first.artifact.project_id, environment: first.artifact.environment };
  try {
    const { failed, lacking, waiting } = await awaitReading(settings, place, ids, options.waitMs);
    for (const { path, artifact } of uploaded) {
      const reason = failed.get(artifact.id);
      if (reason !== undefined) say(`${path}: the server cannot use it as ${options.kind}: ${reason}`);
      const lack = lacking.get(artifact.id);
      if (lack !== undefined) say(`${path}: ${lack}`);
    }
    if (waiting.size > 0) say(`The server has not yet read ${waiting.size} of them; they are stored and will be read.`);
    return failed.size;
  } catch (error) {
    say(`Whether they can be read is not known: ${(error as Error).message}`);
    return 0;
  }
}

async function uploadOne(
  settings: CliSettings,
  options: UploadOptions,
  file: SymbolFile,
  say: Say,
): Promise<UploadedArtifact> {
  const folder = file.isFolder ? await mkdtemp(join(tmpdir(), 'quarterdeck-upload-')) : null;
  try {
    const path = folder === null ? file.path : join(folder, 'symbols.zip');
    if (folder !== null) await zipFolder(file.path, path);
    const progress = everyQuarter((percent) => say(`${percent} %`));
    return await uploadFile(settings, path, file.name, fieldsOf(options, file), progress, say);
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

function fieldsOf(options: UploadOptions, file: SymbolFile): Record<string, string> {
  const fields: Record<string, string | null | undefined> = {
    kind: options.kind,
    release: options.release,
    environment: options.environment,
    match_key: options.matchKey ?? file.matchKey,
    commit_sha: options.commit,
    project_id: options.project,
  };
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1])));
}

/** Large files report a few times, small ones not at all. */
function everyQuarter(progress: (percent: number) => void): (sent: number, total: number) => void {
  let next = 25;
  return (sent, total) => {
    const percent = Math.floor((sent / total) * 100);
    if (total < 10_000_000 || percent < next || percent === 100) return;
    next = percent + 25;
    progress(percent);
  };
}
