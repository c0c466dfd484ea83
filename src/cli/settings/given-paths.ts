import { text } from 'node:stream/consumers';
import { UsageError } from './settings.js';

/** The paths or ids of the command line; `-` stands for those on standard input, one a line, and none at all for the fallback. Throws UsageError. */
export async function givenPaths(
  given: readonly string[],
  fallback: readonly string[],
  what: string,
): Promise<string[]> {
  const chosen = given.length > 0 ? given : fallback;
  const paths: string[] = [];
  for (const one of chosen) {
    if (one === '-') paths.push(...(await text(process.stdin)).split(/\r?\n/).filter((line) => line.trim() !== ''));
    else paths.push(one);
  }
  if (paths.length === 0) throw new UsageError(`Name ${what}, or give - and name them on standard input, one a line.`);
  return paths;
}
