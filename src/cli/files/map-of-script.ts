import { realpath, stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';

/**
 * The file named in the script's comment, if it is in or below the script's folder; otherwise the script's name plus
 * `.map`.
 */
export async function mapOf(path: string, address: string | null): Promise<string | null> {
  const named =
    address === null || /^[a-z][a-z0-9+.-]+:/i.test(address) ? [] : [resolve(dirname(path), decoded(address))];
  for (const candidate of [...named, `${path}.map`]) {
    const isInside = !relative(dirname(path), candidate).startsWith(`..${sep}..`);
    if (isInside && (await stat(candidate).catch(() => null))?.isFile()) return realpath(candidate);
  }
  return null;
}

function decoded(address: string): string {
  const path = address.replace(/[?#].*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
