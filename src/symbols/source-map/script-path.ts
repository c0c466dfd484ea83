/** Where a script was loaded from, according to a stack trace or a source map's key; lowercase. */
export interface ScriptPath {
  /** Null without a host: `app:///`, `~/`, a path on disk. */
  host: string | null;
  /** Folders and file name, without a query, a fragment, a drive, `.` and `..`. */
  segments: string[];
}

const ORIGIN = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/]*)/;
const DRIVE = /^[a-z]:$/;
/** More than any common suffix. */
const EXACT = 1_000_000;

/**
 * Parses URLs with any scheme (`https:`, `app:`, `webpack:`, `file:`), `~/` paths, and paths of any operating system.
 */
export function scriptPath(file: string): ScriptPath {
  const text = file.trim().toLowerCase().replaceAll('\\', '/');
  const origin = ORIGIN.exec(text);
  const [, authority = ''] = origin ?? [];
  // On disk a folder may be called c#, and the query of a URL may contain slashes.
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

/** Where a query or fragment begins, searching from a position; the end of the text without one. */
function queryIn(text: string, from: number): number {
  const at = text.slice(from).search(/[?#]/);
  return at < 0 ? text.length : from + at;
}

/** Whether a path or URL has a script's extension; the last two are Metro's. */
export const isScriptName = (file: string): boolean => /\.(?:[cm]?js|bundle|jsbundle)(?:[?#]|$)/i.test(file);

/** The file name of a script, or empty. */
export const scriptName = (file: string): string => scriptPath(file).segments.at(-1) ?? '';

/**
 * How well a source map's key matches a script, 0 for no match: an exact path beats a longer common suffix, which beats
 * a bare file name. A common file name is not enough when the folders before it differ.
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
