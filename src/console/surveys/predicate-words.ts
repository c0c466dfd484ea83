/** A predicate of one comparison, taken apart for a form; those of AND and OR stay text. */
export interface SimplePredicate<Kind extends string> {
  kind: Kind;
  name: string;
  value: string;
}

export type AudienceKind = 'session_count' | 'event' | 'cohort' | 'screen' | 'props';
export type BranchKind = 'always' | 'answered' | 'contains' | '=' | '!=' | '>' | '>=' | '<' | '<=';

/** A share of 1. */
export const EVERYONE = 1000;

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
const unquoted = (text: string): string =>
  /^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text.trim();
const BARE = /^[^\s,()"=][^,()"=]*$/;
/** A space at its end is kept: it may be on the way to another word. */
const name = (text: string): string => (text === text.trim() && BARE.test(text) ? text : quoted(text));

/** For a field that is left: a space at an end of what was typed led to no other word. */
export function trimmed(text: string, write: (text: string) => void): void {
  if (text !== text.trim()) write(text.trim());
}

/** Whom a survey asks, as `session_count >= 3`, `cohort:beta`, `props.plan="pro"`; null for what the form cannot show. */
export function audienceOf(predicate: string): SimplePredicate<AudienceKind> | null {
  const text = predicate.trim();
  const sessions = /^session_count\s*>=\s*(\d+)$/.exec(text);
  if (sessions) return { kind: 'session_count', name: '', value: sessions[1] ?? '1' };
  const named = /^(event|cohort|screen):\s*("(?:[^"\\]|\\.)*"|[^,()"]+)$/.exec(text);
  if (named) return { kind: named[1] as AudienceKind, name: '', value: unquoted(named[2] ?? '') };
  const property = /^props\.("(?:[^"\\]|\\.)*"|[^,()"=]+)\s*=\s*("(?:[^"\\]|\\.)*")$/.exec(text);
  if (property) return { kind: 'props', name: unquoted(property[1] ?? ''), value: unquoted(property[2] ?? '') };
  return null;
}

export function audienceText({ kind, name: key, value }: SimplePredicate<AudienceKind>): string {
  if (kind === 'session_count') return `session_count >= ${value || '1'}`;
  if (kind === 'props') return `props.${name(key)}=${quoted(value)}`;
  return `${kind}:${name(value)}`;
}

export function audienceWords(rules: readonly { predicate: string; weightNumerator: number }[]): string {
  if (rules.length === 0) return 'Everybody is asked.';
  const words = rules.map(({ predicate, weightNumerator }) => {
    const share = weightNumerator < EVERYONE ? `${weightNumerator / 10} % of those with ` : '';
    return `${share}${predicate}`;
  });
  return `Asked are people with ${words.join(', and ')}.`;
}

/** When a branch is taken, as `answer >= 9`, `answer contains "price"`; null for what the form cannot show. */
export function branchOf(predicate: string): SimplePredicate<BranchKind> | null {
  const text = predicate.trim();
  if (text === 'always' || text === 'answered') return { kind: text, name: '', value: '' };
  const found = /^answer\s*(contains\b|>=|<=|!=|==|=|>|<)\s*("(?:[^"\\]|\\.)*"|-?[\d.]+|true|false)$/.exec(text);
  if (!found) return null;
  const kind = (found[1] === '==' ? '=' : found[1]) as BranchKind;
  return { kind, name: '', value: unquoted(found[2] ?? '') };
}

const LITERAL = /^(?:-?\d{1,15}(?:\.\d{1,6})?|true|false)$/;

export function branchText({ kind, value }: SimplePredicate<BranchKind>): string {
  if (kind === 'always' || kind === 'answered') return kind;
  const isText = kind === 'contains' || !LITERAL.test(value);
  return `answer ${kind} ${isText ? quoted(value) : value}`;
}
