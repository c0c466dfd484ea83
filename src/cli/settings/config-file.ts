import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from './settings.js';

/** The settings of a config file; options and environment variables override them. */
export interface ConfigFile {
  url?: string;
  project?: string;
  environment?: string;
  release?: string;
  /** Files and folders to use when the command line names none, relative to the config file. */
  paths?: string[];
  ignore?: string[];
  urlPrefix?: string;
  stripPrefix?: string;
}

const NAME = 'quarterdeck.json';
const TEXTS = ['url', 'project', 'environment', 'release', 'urlPrefix', 'stripPrefix'];
const LISTS = ['paths', 'ignore'];

/**
 * Reads the named file, or the nearest `quarterdeck.json` in this folder or above; empty when there is none. Throws
 * UsageError.
 */
export async function readConfigFile(named: string | undefined): Promise<ConfigFile> {
  const path = named ?? nearest(process.cwd());
  if (path === null) return {};
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`Could not read the config file ${path}.`);
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
    throw new UsageError(`${path} is not valid JSON: ${(error as Error).message}`);
  }
}

function checked(value: unknown, path: string): ConfigFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${path} must be a JSON object.`);
  for (const [key, given] of Object.entries(value)) {
    if (key === 'token')
      throw new UsageError(`${path}: do not store a token in this file; set QUARTERDECK_TOKEN instead.`);
    const isList = LISTS.includes(key);
    if (!isList && !TEXTS.includes(key))
      throw new UsageError(`${path}: unknown key "${key}". Allowed keys: ${[...TEXTS, ...LISTS].join(', ')}.`);
    const fits = isList
      ? Array.isArray(given) && given.every((one) => typeof one === 'string')
      : typeof given === 'string';
    if (!fits) throw new UsageError(`${path}: "${key}" must be ${isList ? 'an array of strings' : 'a string'}.`);
  }
  return value as ConfigFile;
}
