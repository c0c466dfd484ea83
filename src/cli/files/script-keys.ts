import { relative, resolve, sep } from 'node:path';

export interface FoundMap {
  path: string;
  folder: string;
}

/** How scripts are named on the web. */
export interface ScriptNaming {
  /** Prepended to the path below the folder. */
  urlPrefix?: string | undefined;
  /** Removed from the start of the path below the folder first. */
  stripPrefix?: string | undefined;
}

/**
 * Names of the scripts of source maps: with a prefix, the path below the named folder; otherwise the file name or, for
 * scripts that share one, the path below their common folder.
 */
export function scriptKeys(maps: readonly FoundMap[], { urlPrefix, stripPrefix }: ScriptNaming): Map<string, string> {
  if (urlPrefix !== undefined || stripPrefix !== undefined) {
    return new Map(
      maps.map(({ path, folder }) => {
        const below = withoutEnding(relative(folder, path).split(sep).join('/'));
        const strip = (stripPrefix ?? '').replace(/^\.?\/|\/+$/g, '');
        const rest = strip !== '' && below.startsWith(`${strip}/`) ? below.slice(strip.length + 1) : below;
        return [path, urlPrefix ? `${urlPrefix.replace(/\/+$/, '')}/${rest}` : rest];
      }),
    );
  }
  const scripts = maps.map(({ path }) => ({ path, parts: withoutEnding(resolve(path)).split(sep) }));
  const keys = new Map<string, string>();
  for (const same of Map.groupBy(scripts, ({ parts }) => parts.at(-1)?.toLowerCase()).values()) {
    const [{ parts: first = [] } = {}] = same;
    const isShared = (depth: number) =>
      same.every(({ parts }) => depth < parts.length - 1 && parts[depth] === first[depth]);
    let shared = 0;
    while (isShared(shared)) shared += 1;
    for (const { path, parts } of same) keys.set(path, parts.slice(shared).join('/'));
  }
  return keys;
}

const withoutEnding = (path: string): string => path.replace(/\.map$/i, '');
