import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileReplacer } from '../files/file-replacer.js';
import { all, ask } from '../server/ask-server.js';
import { type CliSettings, UsageError } from '../settings/settings.js';
import { say } from '../terminal.js';
import { memberName, typeOfSchema, typeOfValues } from './json-types.js';

/** What `types` was asked. */
export interface TypesOptions {
  readonly file: string;
  /** Compares instead of writing. */
  readonly check: boolean;
  readonly environment: string | undefined;
  readonly project: string | undefined;
}

interface FlagNode {
  key: string;
  description: string;
  variants: { value: unknown }[];
}

interface ItemNode {
  key: string;
  description: string;
  type: 'string' | 'int' | 'float' | 'bool' | 'json';
  jsonSchema: unknown;
}

const FLAGS = `query($project: ID!, $environment: Environment!, $after: String) {
  flags(projectId: $project, environment: $environment, first: 100, after: $after, orderBy: { field: key, direction: asc }) {
    nodes { key description variants { value } } pageInfo { hasNextPage endCursor }
  }
}`;

const ITEMS = `query($project: ID!, $environment: Environment!, $after: String) {
  configItems(projectId: $project, environment: $environment, first: 100, after: $after, orderBy: { field: key, direction: asc }) {
    nodes { key description type jsonSchema } pageInfo { hasNextPage endCursor }
  }
}`;

const PROJECTS = 'query { projects(first: 2) { nodes { id } } }';

const PLAIN = { string: 'string', int: 'number', float: 'number', bool: 'boolean' } as const;

/**
 * Writes a declaration file with the type of every flag and config item of a project, which the client libraries read. Returns 0, or 1
 * when `check` finds something else in the file. Throws UsageError, Refused, Unreachable.
 */
export async function writeTypes(settings: CliSettings, options: TypesOptions): Promise<number> {
  const { file, check, environment = 'live' } = options;
  const project = options.project ?? (await onlyProject(settings));
  const flags: string[] = [];
  for await (const { key, description, variants } of all<FlagNode>(settings, 'flags', FLAGS, { project, environment }))
    flags.push(member(key, description, typeOfValues(variants.map(({ value }) => value))));
  const items: string[] = [];
  for await (const item of all<ItemNode>(settings, 'configItems', ITEMS, { project, environment }))
    items.push(member(item.key, item.description, typeOfItem(item)));
  const text = declaration(flags, items);
  const counted = `${flags.length} flags and ${items.length} config items`;
  const isCurrent = (await presentText(file)) === text;
  if (!check) {
    // What watches the file need not build anew for nothing.
    if (!isCurrent) await write(file, text);
    say(`${file}: ${counted}`);
    return 0;
  }
  say(isCurrent ? `${file} is current: ${counted}` : `${file} is not current: run quarterdeck types --out ${file}`);
  return isCurrent ? 0 : 1;
}

/** Throws UsageError where there is no place for the file. */
async function write(file: string, text: string): Promise<void> {
  if ((await stat(file).catch(() => null))?.isDirectory())
    throw new UsageError(`${file} is a folder; name the file in it with --out.`);
  if ((await stat(dirname(file)).catch(() => null)) === null)
    throw new UsageError(`There is no folder ${dirname(file)} for ${file}; make it first.`);
  await new FileReplacer().write([[file, text]]);
}

/** Null where there is no file, or one that cannot be read. */
async function presentText(file: string): Promise<string | null> {
  const isFile = (await stat(file).catch(() => null))?.isFile();
  return isFile ? readFile(file, 'utf8').catch(() => null) : null;
}

async function onlyProject(settings: CliSettings): Promise<string> {
  const { projects } = await ask<{ projects: { nodes: { id: string }[] } }>(settings, PROJECTS, {});
  const [only, another] = projects.nodes;
  if (!only) throw new UsageError('The token sees no project.');
  if (another) throw new UsageError('The token sees several projects, so name one with --project.');
  return only.id;
}

function typeOfItem({ type, jsonSchema }: ItemNode): string {
  return type === 'json' ? typeOfSchema(jsonSchema) : narrowed(PLAIN[type], jsonSchema);
}

/** A schema may say which texts or numbers there are. */
function narrowed(plain: string, schema: unknown): string {
  const said = typeOfSchema(schema);
  return said === 'unknown' ? plain : said;
}

function member(key: string, description: string, type: string): string {
  const comment = description.replaceAll('*/', '*\\/').replace(/\s+/g, ' ').trim();
  return `${comment === '' ? '' : `    /** ${comment} */\n`}    readonly ${memberName(key)}: ${type};\n`;
}

const declaration = (flags: readonly string[], items: readonly string[]): string => `// Written by "quarterdeck types".
declare global {
  interface QuarterdeckFlags {
${flags.join('')}  }
  interface QuarterdeckConfig {
${items.join('')}  }
}
export {};
`;
