import { KINDS } from './files/recognise-file.js';

/** An option of the command line; without a value it is a switch. */
export interface Option {
  value?: string;
  multiple?: true;
  /** An empty value means none. */
  mayBeEmpty?: true;
  short?: string;
  /** For the help. */
  says: string;
}

/** Every option, by its name; each subcommand names those that it takes. */
export const OPTIONS: Readonly<Record<string, Option>> = {
  kind: { value: 'KIND', says: `only this kind: ${KINDS.join(', ')}` },
  release: {
    value: 'R',
    mayBeEmpty: true,
    says: 'the release that the symbols or the build belong to; QUARTERDECK_RELEASE or the tag that is built, else none',
  },
  commit: {
    value: 'SHA',
    mayBeEmpty: true,
    says: "commit of the build, in hexadecimal; the build service's or git's when left out",
  },
  'match-key': { value: 'K', says: 'name the one file yourself' },
  'url-prefix': {
    value: 'U',
    mayBeEmpty: true,
    says: 'what stands before the path of scripts on the web, as ~/static/js',
  },
  'strip-prefix': { value: 'P', mayBeEmpty: true, says: 'what to take away from the front of the path of scripts' },
  scripts: { says: 'scripts too, whose code is shown where no map holds the source' },
  ignore: {
    value: 'PATTERN',
    multiple: true,
    mayBeEmpty: true,
    says: 'leave files out, as in .gitignore; may be repeated',
  },
  wait: { value: 'SECONDS', says: 'how long to wait until the server has read the files, 60 when left out' },
  'dry-run': { says: 'say what would be done, and do nothing' },
  offline: { says: 'say what is inside, and ask no server' },
  out: { value: 'FILE', says: 'what to write, quarterdeck.d.ts when left out' },
  check: { says: 'write nothing, and fail when the file is not what would be written' },
  limit: { value: 'N', says: 'how many to show, 50 when left out' },
  environment: { value: 'E', says: 'live (default) or test' },
  project: { value: 'ID', says: 'when the token may see several projects' },
  config: { value: 'FILE', says: 'instead of the nearest quarterdeck.json' },
  json: { says: 'the result as one JSON document' },
  url: { value: 'URL', says: 'instead of QUARTERDECK_URL' },
  token: { value: 'TOKEN', says: 'instead of QUARTERDECK_TOKEN, which others on this machine cannot see' },
  help: { short: 'h', says: 'this text' },
  version: { short: 'v', says: 'the version of the command' },
};

/** Options that every subcommand takes. */
export const COMMON_OPTIONS = ['environment', 'project', 'config', 'url', 'token', 'help', 'version'];
