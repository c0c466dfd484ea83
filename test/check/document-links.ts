import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const link = /\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g;

/** Links in Markdown pages that lead nowhere: to a missing file, or to a heading that the target page does not have. */
export function brokenLinks(root: string, pages: readonly string[]): string[] {
  return pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(link)].flatMap(([, path = '', heading]) => {
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, target))) return [`${page} links to ${path}, which is not there`];
      if (heading === undefined || !target.endsWith('.md')) return [];
      return headings(readFileSync(join(root, target), 'utf8')).has(heading)
        ? []
        : [`${page} links to the heading #${heading}, which ${target} does not have`];
    }),
  );
}

const inBackticks = /`([\w.*<>/-]+)`/g;
const ourFolders = /^(?:src|rest|test|docs|\.ci)\//;
const sourceFile = /[\w>]\.(?:ts|tsx|mjs|css)$/;

/**
 * Paths in backticks that match no file or folder in the repository. Checks paths that start with a folder of the
 * repository, and names of source files, which may omit the parent folders. `*` and `<thing>` match any part of a name.
 */
export function missingPaths(pages: ReadonlyMap<string, string>, files: readonly string[]): string[] {
  const all = `\n${files.join('\n')}\n`;
  return [...pages].flatMap(([page, text]) =>
    [...text.matchAll(inBackticks)].flatMap(([, path = '']) => {
      if (!ourFolders.test(path) && !sourceFile.test(path)) return [];
      const name = path
        .replace(/\/$/, '')
        .replaceAll('.', '\\.')
        .replaceAll(/\*|<[^>]*>/g, '[^/\\n]+');
      const above = ourFolders.test(path) ? '' : '(?:[^\\n]*/)?';
      return new RegExp(`\\n${above}${name}[/\\n]`).test(all) ? [] : [`${page} names ${path}, which is not there`];
    }),
  );
}

/** The headings of a Markdown page, verbatim. */
export function titles(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
}

function headings(text: string): Set<string> {
  return new Set(
    titles(text).map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
