/** A single comparison split up for a form; AND and OR predicates stay text. */
export interface SimplePredicate<Kind extends string> {
  kind: Kind;
  name: string;
  value: string;
}

export type AudienceKind = 'session_count' | 'event' | 'cohort' | 'screen' | 'props';
export type BranchKind = 'always' | 'answered' | 'contains' | '=' | '!=' | '>' | '>=' | '<' | '<=';

/** A share of 100%. */
export const EVERYONE = 1000;

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
const unquoted = (text: string): string =>
  /^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text.trim();
const BARE = /^[^\s,()"=][^,()"=]*$/;
/** Keeps a trailing space, as another word may follow. */
const name = (text: string): string => (text === text.trim() && BARE.test(text) ? text : quoted(text));

/** Trims a field on blur, when no other word followed. */
export function trimmed(text: string, write: (text: string) => void): void {
  if (text !== text.trim()) write(text.trim());
}

/** A targeting predicate such as `session_count >= 3`, `cohort:beta` or `props.plan="pro"`; null if the form can't show it. */
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
  if (rules.length === 0) return 'Everyone gets this survey.';
  const words = rules.map(({ predicate, weightNumerator }) => {
    const share = weightNumerator < EVERYONE ? `${weightNumerator / 10}% of those with ` : '';
    return `${share}${predicate}`;
  });
  return `Audience: people with ${words.join(', and ')}.`;
}

/** A branching predicate such as `answer >= 9` or `answer contains "price"`; null if the form can't show it. */
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
