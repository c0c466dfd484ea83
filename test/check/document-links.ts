import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const link = /\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g;

/** Links of Markdown pages that lead nowhere: a file that is not there, or a heading that its page does not have. */
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

function headings(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
