const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const link = /\{@link\s+([\w$]+)(?:[.#]([\w$]+))?/g;

const wordsOf = (code: string): Set<string> => new Set(code.match(/[\w$]+/g));

/**
 * Links of comments that lead nowhere. A name is known when its file's code uses it or another file exports it, and a member when
 * a file whose code knows the owner uses the member.
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

function exportsOf(code: string): string[] {
  return [
    ...code.matchAll(
      /^export (?:declare |abstract |async )*(?:class|interface|type|function\*?|const|let|enum) ([\w$]+)/gm,
    ),
  ].map(([, name = '']) => name);
}
