/** Where a script was loaded from, as a stack trace or the key of a source map names it; lower case. */
export interface ScriptPath {
  /** Null when it names none: `app:///`, `~/`, a path on disk. */
  host: string | null;
  /** Folders and file name, without a query, a fragment, a drive, `.` and `..`. */
  segments: string[];
}

const ORIGIN = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/]*)/;
const DRIVE = /^[a-z]:$/;
/** More than any common end. */
const EXACT = 1_000_000;

/** Reads addresses with any scheme (`https:`, `app:`, `webpack:`, `file:`), `~/` paths, and paths of any system. */
export function scriptPath(file: string): ScriptPath {
  const text = file.trim().toLowerCase().replaceAll('\\', '/');
  const origin = ORIGIN.exec(text);
  const [, authority = ''] = origin ?? [];
  // On disk a folder may be called c#; a query of an address may hold slashes.
  const path = text.slice(
    origin?.[0].length ?? 0,
    queryIn(text, origin ? origin[0].length : text.lastIndexOf('/') + 1),
  );
  const segments: string[] = [];
  for (const segment of decoded(path).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.' && !(segments.length === 0 && isRoot(segment))) segments.push(segment);
  }
  return { host: authority === '' || DRIVE.test(authority) ? null : authority, segments };
}

/** Where a query or fragment begins, looked for from a place on; the end of the text when there is none. */
function queryIn(text: string, from: number): number {
  const at = text.slice(from).search(/[?#]/);
  return at < 0 ? text.length : from + at;
}

/** Whether a path or address is that of a script, by its ending; Metro's have the last two. */
export const isScriptName = (file: string): boolean => /\.(?:[cm]?js|bundle|jsbundle)(?:[?#]|$)/i.test(file);

/** The file name of a script, empty when it has none. */
export const scriptName = (file: string): string => scriptPath(file).segments.at(-1) ?? '';

/**
 * How well the key of a source map names a script, 0 for not at all: an exact path before a longer common end before a bare
 * file name. A file name that both have is not enough where the folders before it differ.
 */
export function likeness(key: ScriptPath, script: ScriptPath): number {
  const [a, b] = [key.segments.toReversed(), script.segments.toReversed()];
  const shorter = Math.min(a.length, b.length);
  let common = 0;
  while (common < shorter && a[common] === b[common]) common += 1;
  if (common === 0 || (common === 1 && shorter > 1)) return 0;
  if (a.length !== b.length || common < shorter) return common + (common === shorter ? 0.5 : 0);
  const hosts = key.host === script.host ? 2 : key.host === null || script.host === null ? 1 : 0;
  return EXACT + hosts;
}

const isRoot = (segment: string): boolean => segment === '~' || DRIVE.test(segment);

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).toLowerCase().replaceAll('\0', '\uFFFD');
  } catch {
    return path;
  }
}
