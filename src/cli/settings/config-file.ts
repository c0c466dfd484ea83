import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from './settings.js';

/** What a config file may say; options and variables win over it. */
export interface ConfigFile {
  url?: string;
  project?: string;
  environment?: string;
  release?: string;
  /** Files and folders when the command line names none, below the folder of the config file. */
  paths?: string[];
  ignore?: string[];
  urlPrefix?: string;
  stripPrefix?: string;
}

const NAME = 'quarterdeck.json';
const TEXTS = ['url', 'project', 'environment', 'release', 'urlPrefix', 'stripPrefix'];
const LISTS = ['paths', 'ignore'];

/** Reads the named file, else `quarterdeck.json` of this folder or the nearest one above; nothing when there is none. Throws UsageError. */
export async function readConfigFile(named: string | undefined): Promise<ConfigFile> {
  const path = named ?? nearest(process.cwd());
  if (path === null) return {};
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`The config file ${path} cannot be read.`);
  });
  const config = checked(parsed(text, path), path);
  const folder = dirname(resolve(path));
  return config.paths ? { ...config, paths: config.paths.map((entry) => resolve(folder, entry)) } : config;
}

function nearest(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, NAME))) return join(at, NAME);
    if (existsSync(join(at, '.git')) || dirname(at) === at) return null;
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as Error).message}`);
  }
}

function checked(value: unknown, path: string): ConfigFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${path} is a JSON object.`);
  for (const [key, given] of Object.entries(value)) {
    if (key === 'token') throw new UsageError(`${path}: a token does not belong in a file; set QUARTERDECK_TOKEN.`);
    const isList = LISTS.includes(key);
    if (!isList && !TEXTS.includes(key))
      throw new UsageError(`${path}: "${key}" is unknown; it takes ${[...TEXTS, ...LISTS].join(', ')}.`);
    const fits = isList
      ? Array.isArray(given) && given.every((one) => typeof one === 'string')
      : typeof given === 'string';
    if (!fits) throw new UsageError(`${path}: "${key}" is ${isList ? 'a list of texts' : 'a text'}.`);
  }
  return value as ConfigFile;
}
