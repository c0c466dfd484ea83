import { relative, sep } from 'node:path';

/** Whether a path is to be left out. */
export type Ignores = (path: string, folder: string) => boolean;

/**
 * Patterns as of `.gitignore`: `*` and `?` stay within a name, `**` spans folders; one without a slash is looked for at every
 * depth, another from the folder that is looked through. What lies in an ignored folder is ignored.
 */
export function ignoresOf(patterns: readonly string[]): Ignores {
  const expressions = patterns.filter((pattern) => pattern !== '').map(expressionOf);
  return (path, folder) => {
    const below = relative(folder, path).split(sep).join('/');
    return expressions.some((expression) => expression.test(below));
  };
}

function expressionOf(pattern: string): RegExp {
  const trimmed = pattern.replace(/^\.?\//, '').replace(/\/+$/, '');
  const isAnywhere = !pattern.replace(/\/+$/, '').includes('/');
  const body = trimmed.replace(/\*\*\/|\*\*|[*?]|[\\^$+.()|[\]{}]/g, (token) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    return token === '?' ? '[^/]' : `\\${token}`;
  });
  return new RegExp(`^${isAnywhere ? '(?:.*/)?' : ''}${body}(?:/.*)?$`);
}
