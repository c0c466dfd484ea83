import { evaluate, type PredicateReader } from './predicate-reader.js';

const COMPARED = /^(>=|<=|!=|==?|>|<)/;

function number(reader: PredicateReader): number | null {
  const found = reader.take(/^-?\d{1,15}(\.\d{1,6})?(?![\d.])/);
  return found && Number(found[0]);
}

/** Whether a branching predicate holds for an answer; undefined counts as no answer. */
export function branches(text: string, answer: unknown): boolean {
  return evaluate(text, (reader) => {
    if (reader.take(/^always\b/)) return true;
    if (reader.take(/^answered\b/)) return answer !== undefined;
    reader.need(/^answer\b/);
    if (reader.take(/^contains\b/)) {
      const option = reader.quoted();
      return Array.isArray(answer) && answer.includes(option);
    }
    const op = reader.need(COMPARED)[1];
    const value = reader.quoted() ?? number(reader) ?? reader.need(/^(true|false)\b/)[0] === 'true';
    if (typeof answer !== typeof value) return op === '!=' && answer !== undefined;
    const given = answer as string | number | boolean;
    if (op === '=' || op === '==') return given === value;
    if (op === '!=') return given !== value;
    if (op === '<') return given < value;
    if (op === '>') return given > value;
    return op === '<=' ? given <= value : given >= value;
  });
}
