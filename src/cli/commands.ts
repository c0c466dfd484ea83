import { KINDS, type Kind } from './files/recognise-file.js';
import { type BuildFacts, buildFacts } from './settings/build-facts.js';
import type { ConfigFile } from './settings/config-file.js';
import { givenPaths } from './settings/given-paths.js';
import { readSettings, UsageError } from './settings/settings.js';
import { checkSymbols } from './symbols/check.js';
import { deleteSymbols } from './symbols/delete.js';
import { injectDebugIds } from './symbols/inject.js';
import { listSymbols } from './symbols/list.js';
import { uploadSymbols } from './symbols/upload.js';
import { printMessage } from './terminal.js';
import { writeTypes } from './types/write-types.js';

export type OptionValues = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** A subcommand: its arguments, options and action. Its texts become its help. */
export interface Command {
  takes: string;
  does: string;
  options: readonly string[];
  run(given: OptionValues, config: ConfigFile, positionals: readonly string[]): Promise<number>;
}

const FILES = 'the files or folders to search';

export const COMMANDS: Readonly<Record<string, Command>> = {
  'symbols upload': {
    takes: 'PATH...',
    does: 'Upload the symbol files found at the paths. Files are recognized by content, also inside zips; files the server already has are skipped.',
    options: [
      'kind',
      'release',
      'commit',
      'match-key',
      'url-prefix',
      'strip-prefix',
      'scripts',
      'ignore',
      'wait',
      'dry-run',
      'json',
    ],
    run: async (given, config, positionals) => {
      const paths = await givenPaths(positionals, config.paths ?? [], FILES);
      const settings = given['dry-run'] ? null : settingsOf(given, config);
      const { release, commit } = await factsOf(given, config);
      return uploadSymbols(settings, {
        ...common(given, config),
        kind: kindOf(given),
        paths,
        ignore: patterns(given, config),
        ...naming(given, config),
        release,
        commit,
        withScripts: given.scripts === true,
        matchKey: text(given, 'match-key'),
        waitMs: whole(given, 'wait', 0, 60) * 1000,
      });
    },
  },
  'symbols inject': {
    takes: 'PATH...',
    does: 'Write the same debug id into each script and its source map. Run it before you deploy and upload them.',
    options: ['ignore', 'dry-run', 'json'],
    run: async (given, config, positionals) => {
      const paths = await givenPaths(positionals, config.paths ?? [], 'the folder of the build');
      const isDryRun = given['dry-run'] === true;
      return injectDebugIds({ paths, ignore: patterns(given, config), isDryRun, json: given.json === true });
    },
  },
  'symbols check': {
    takes: 'PATH...',
    does: 'Show what files contain, and whether the server has the symbols of each binary and script in a build.',
    options: ['release', 'url-prefix', 'strip-prefix', 'ignore', 'offline', 'json'],
    run: async (given, config, positionals) => {
      const paths = await givenPaths(positionals, config.paths ?? [], 'the folder of the build');
      const settings = given.offline ? null : settingsOf(given, config);
      const { release } = await factsOf(given, config);
      return checkSymbols(settings, {
        ...common(given, config),
        ...naming(given, config),
        paths,
        ignore: patterns(given, config),
        release,
      });
    },
  },
  'symbols list': {
    takes: '',
    does: 'List the symbol files on the server, newest first.',
    options: ['kind', 'release', 'limit', 'json'],
    run: async (given, config) => {
      const { release } = await factsOf(given, config);
      const options = {
        ...common(given, config),
        kind: kindOf(given),
        release,
        limit: whole(given, 'limit', 1, 50),
      };
      return listSymbols(settingsOf(given, config), options);
    },
  },
  'symbols delete': {
    takes: 'ID...',
    does: 'Delete symbol files. Crashes that are already symbolicated stay readable.',
    options: ['json'],
    run: async (given, config, positionals) => {
      const ids = await givenPaths(positionals, [], 'the ids of the symbol files');
      return deleteSymbols(settingsOf(given, config), ids, given.json === true);
    },
  },
  types: {
    takes: '',
    does: 'Generate a TypeScript declaration file with the types of your flags and config items for the SDKs.',
    options: ['out', 'check'],
    run: async (given, config) => {
      const { environment, project } = common(given, config);
      const options = {
        file: text(given, 'out') ?? 'quarterdeck.d.ts',
        check: given.check === true,
        environment,
        project,
      };
      return writeTypes(settingsOf(given, config), options);
    },
  },
};

const text = (given: OptionValues, name: string): string | undefined =>
  typeof given[name] === 'string' ? given[name] : undefined;

const settingsOf = (given: OptionValues, config: ConfigFile) =>
  readSettings({ url: text(given, 'url'), token: text(given, 'token') }, config);

const naming = (given: OptionValues, config: ConfigFile) => ({
  urlPrefix: text(given, 'url-prefix') ?? config.urlPrefix,
  stripPrefix: text(given, 'strip-prefix') ?? config.stripPrefix,
});

/** The same release for every subcommand; says where it comes from unless it was given. */
async function factsOf(given: OptionValues, config: ConfigFile): Promise<BuildFacts> {
  const facts = await buildFacts({ release: text(given, 'release'), commit: text(given, 'commit') }, config);
  if (facts.releaseFrom !== null) printMessage(`release ${facts.release}, from ${facts.releaseFrom}`);
  return facts;
}

const patterns = ({ ignore }: OptionValues, config: ConfigFile): string[] => [
  ...(config.ignore ?? []),
  ...(Array.isArray(ignore) ? ignore : []),
];

function common(given: OptionValues, config: ConfigFile) {
  const environment = text(given, 'environment') ?? config.environment;
  if (environment !== undefined && environment !== 'live' && environment !== 'test')
    throw new UsageError('--environment must be live or test.');
  return { environment, project: text(given, 'project') ?? config.project, json: given.json === true };
}

/** Throws UsageError. */
function kindOf(given: OptionValues): Kind | undefined {
  const asked = text(given, 'kind');
  const kind = KINDS.find((each) => each === asked);
  if (asked !== undefined && !kind) throw new UsageError(`--kind must be one of ${KINDS.join(', ')}.`);
  return kind;
}

/** Throws UsageError. */
function whole(given: OptionValues, name: string, least: number, fallback: number): number {
  const value = text(given, name);
  if (value !== undefined && (!/^\d{1,5}$/.test(value) || Number(value) < least))
    throw new UsageError(`--${name} must be a whole number from ${least} to 99999.`);
  return Number(value ?? fallback);
}
