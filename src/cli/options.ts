import { KINDS } from './files/recognise-file.js';

export interface Option {
  value?: string;
  multiple?: true;
  /** An empty value means none. */
  mayBeEmpty?: true;
  short?: string;
  says: string;
}

/** Every option by name; each subcommand lists the ones it takes. */
export const OPTIONS: Readonly<Record<string, Option>> = {
  kind: { value: 'KIND', says: `only this kind: ${KINDS.join(', ')}` },
  release: {
    value: 'R',
    mayBeEmpty: true,
    says: 'release of the symbols or the build (default: QUARTERDECK_RELEASE, or the tag being built)',
  },
  commit: {
    value: 'SHA',
    mayBeEmpty: true,
    says: 'commit SHA of the build (default: from the CI service or git)',
  },
  'match-key': { value: 'K', says: 'match key; only with a single file' },
  'url-prefix': {
    value: 'U',
    mayBeEmpty: true,
    says: 'prefix of script paths on the web, such as ~/static/js',
  },
  'strip-prefix': { value: 'P', mayBeEmpty: true, says: 'prefix to remove from script paths' },
  scripts: { says: 'also upload scripts, to show their code when there is no source map' },
  ignore: {
    value: 'PATTERN',
    multiple: true,
    mayBeEmpty: true,
    says: 'files to leave out, as in .gitignore; can be repeated',
  },
  wait: { value: 'SECONDS', says: 'how long to wait for the server to process the files (default: 60)' },
  'dry-run': { says: 'show what would happen without doing it' },
  offline: { says: 'show what the files contain without contacting the server' },
  out: { value: 'FILE', says: 'file to write (default: quarterdeck.d.ts)' },
  check: { says: 'write nothing; fail if the file is out of date' },
  limit: { value: 'N', says: 'how many to show (default: 50)' },
  environment: { value: 'E', says: 'live or test (default: live)' },
  project: { value: 'ID', says: 'project, if the token has access to several' },
  config: { value: 'FILE', says: 'config file (default: the nearest quarterdeck.json)' },
  json: { says: 'print the result as one JSON document' },
  url: { value: 'URL', says: 'server URL (default: QUARTERDECK_URL)' },
  token: {
    value: 'TOKEN',
    says: 'API token (default: QUARTERDECK_TOKEN, which other users of this machine cannot see)',
  },
  help: { short: 'h', says: 'show this help' },
  version: { short: 'v', says: 'show the version' },
};

/** Options of every subcommand. */
export const COMMON_OPTIONS = ['environment', 'project', 'config', 'url', 'token', 'help', 'version'];
