import { basename } from 'node:path';
import { symbolsCommand } from './symbols-command.js';

interface Injected {
  status: string;
  reason: string | null;
  debug_id: string | null;
}

/** What `symbols inject` reports for each script in the folders, by name. */
export async function injected(...args: string[]): Promise<Record<string, Injected>> {
  const ended = await symbolsCommand({}, 'inject', '--json', ...args);
  const { files } = JSON.parse(ended.results) as { files: (Injected & { path: string })[] };
  return Object.fromEntries(files.map(({ path, ...file }) => [basename(path), file]));
}
