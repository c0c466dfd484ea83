import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliSettings } from './settings.js';
import { findSymbolFiles, type SymbolFile } from './symbol-files.js';
import { uploadFile } from './upload-file.js';
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
}

type Say = (line: string) => void;

/** Uploads all symbol files at the paths, one after the other. Returns 0, or 1 when one of them failed or none was found. */
export async function uploadSymbols(settings: CliSettings, options: UploadOptions, say: Say): Promise<number> {
  const files = await findSymbolFiles(options.kind, options.paths);
  if (files.length === 0) {
    say(`No ${options.kind} files were found.`);
    return 1;
  }
  let failed = 0;
  for (const [index, file] of files.entries()) {
    const place = `[${index + 1}/${files.length}] ${file.path}`;
    try {
      const artifact = await uploadOne(settings, options, file, (percent) => say(`${place}: ${percent} %`));
      say(`${place}: ${artifact.id}${artifact.match_key ? ` (${artifact.match_key})` : ''}`);
    } catch (error) {
      failed += 1;
      say(`${place}: failed, ${(error as Error).message}`);
    }
  }
  say(`${files.length - failed} of ${files.length} uploaded.`);
  return failed === 0 ? 0 : 1;
}

async function uploadOne(
  settings: CliSettings,
  options: UploadOptions,
  file: SymbolFile,
  progress: (percent: number) => void,
) {
  const folder = file.isFolder ? await mkdtemp(join(tmpdir(), 'quarterdeck-upload-')) : null;
  try {
    const path = folder === null ? file.path : join(folder, 'symbols.zip');
    if (folder !== null) await zipFolder(file.path, path);
    return await uploadFile(settings, path, file.name, fieldsOf(options, file), everyQuarter(progress));
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
