import { titles } from './document-links.js';

const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const link = /\{@link\s+([\w$]+)(?:[.#]([\w$]+))?/g;

const pageOfDocs = /(docs\/[\w/-]+\.md)((?:, | and )(?=[A-Z]))?/g;
const betweenLines = /\n\s*(?:\*|\/\/) ?/g;

const wordsOf = (code: string): Set<string> => new Set(code.match(/[\w$]+/g));

/**
 * Links in comments that lead nowhere. A name is known if the file's own code uses it or another file exports it, and a
 * member if a file whose code knows the owner uses the member.
 */
export function brokenCommentLinks(files: ReadonlyMap<string, string>): string[] {
  const codes = [...files].map(([file, text]) => {
    const code = text.replaceAll(comment, '');
    return { file, text, words: wordsOf(code), exports: exportsOf(code) };
  });
  const exported = new Set(codes.flatMap(({ exports }) => exports));
  return codes.flatMap(({ file, text, words }) =>
    [...text.matchAll(link)].flatMap(([, name = '', member]) => {
      if (!words.has(name) && !exported.has(name)) return [`${file} links to ${name}, which is not there`];
      if (member === undefined) return [];
      const isThere = codes.some((other) => other.words.has(name) && other.words.has(member));
      return isThere ? [] : [`${file} links to ${name}.${member}, which is not there`];
    }),
  );
}

/**
 * Finds references such as `docs/rest.md, Limits`, also with several headings, whose page or heading does not exist.
 */
export function brokenMentions(files: ReadonlyMap<string, string>, pages: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, text]) => {
    const line = text.replaceAll(betweenLines, ' ');
    return [...line.matchAll(pageOfDocs)].flatMap((mention) => {
      const [whole, page = '', comma] = mention;
      const content = pages.get(page);
      if (content === undefined) return [`${file} mentions ${page}, which is not there`];
      if (comma === undefined) return [];
      return missingHeadings(line.slice(mention.index + whole.length), titles(content)).map(
        (words) => `${file} mentions the heading "${words}", which ${page} does not have`,
      );
    });
  });
}

/** The heading that `text` starts with, if it does not exist; if it does, checks the next one in the list. */
function missingHeadings(text: string, known: readonly string[]): string[] {
  const found = known
    .filter((title) => text.startsWith(title) && !/^\w/.test(text.slice(title.length)))
    .sort((a, b) => b.length - a.length)[0];
  if (found === undefined) return [/^[\w-]+/.exec(text)?.[0] ?? ''];
  const rest = text.slice(found.length);
  const next = /^(?:,| and|, and) (?=[A-Z])/.exec(rest);
  return next ? missingHeadings(rest.slice(next[0].length), known) : [];
}

function exportsOf(code: string): string[] {
  return [
    ...code.matchAll(
      /^export (?:declare |abstract |async )*(?:class|interface|type|function\*?|const|let|enum) ([\w$]+)/gm,
    ),
  ].map(([, name = '']) => name);
}
