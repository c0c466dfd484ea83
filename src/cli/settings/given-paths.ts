import { text } from 'node:stream/consumers';
import { UsageError } from './settings.js';

/**
 * The paths or ids from the command line, or the fallback; `-` reads them from standard input, one per line. Throws
 * UsageError.
 */
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
  if (paths.length === 0) throw new UsageError(`Specify ${what}, or - to read them from standard input, one per line.`);
  return paths;
}
