import type { Kind } from '../files/recognise-file.js';

/** Options of `symbols upload`. */
export interface UploadOptions {
  kind?: Kind | undefined;
  paths: readonly string[];
  ignore: readonly string[];
  /** Also upload scripts. */
  withScripts: boolean;
  urlPrefix?: string | undefined;
  stripPrefix?: string | undefined;
  release: string | null;
  commit: string | null;
  environment?: string | undefined;
  matchKey?: string | undefined;
  project?: string | undefined;
  /** How long to wait for the server to process the files. */
  waitMs: number;
  json: boolean;
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
