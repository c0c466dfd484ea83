import type { Kind } from '../files/recognise-file.js';
import type { ScriptNaming } from '../files/script-keys.js';
import type { CommonOptions } from '../settings/settings.js';

export interface UploadOptions extends ScriptNaming, CommonOptions {
  kind?: Kind | undefined;
  paths: readonly string[];
  ignore: readonly string[];
  /** Also upload scripts. */
  withScripts: boolean;
  release: string | null;
  commit: string | null;
  matchKey?: string | undefined;
  /** How long to wait for the server to process the files. */
  waitMs: number;
}

export function fieldsOf(options: UploadOptions, kind: Kind, matchKey: string | null): Record<string, string> {
  const fields: Record<string, string | null | undefined> = {
    kind,
    release: options.release,
    environment: options.environment,
    match_key: options.matchKey ?? matchKey,
    commit_sha: options.commit,
    project_id: options.project,
  };
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1])));
}
