import { compileCondition } from '../../src/targeting/compile-condition.js';
import { OPERATOR_NAMES, type OperatorName, type Scalar } from '../../src/targeting/condition.js';
import { ruleProblems } from '../../src/targeting/rules/rule-problems.js';
import { Subject } from '../../src/targeting/subject.js';

const SEEN: Readonly<Record<string, unknown>> = {
  absent: undefined,
  null: null,
  text: 'x',
  number: 1,
  boolean: true,
  list: ['x', 1, true],
  object: { x: 1 },
};

const VALUES: Readonly<Record<string, Scalar | null>> = { text: 'x', number: 1, boolean: true, none: null };
const TEXTS: Partial<Record<OperatorName, string>> = { before: '2026-11-22', after: '2026-11-22', semver: '*' };

/** How a seen value of one type compares with a condition's value of another, found by asking the evaluator. */
function outcome(operator: OperatorName, seen: unknown, given: Scalar | null): string | null {
  const text = TEXTS[operator];
  const values = given === null ? [] : [given === 'x' && text !== undefined ? text : given];
  const attribute = operator === 'cohort' ? 'distinct_id' : 'props.p';
  if (ruleProblems([{ conditions: [{ attribute, operator, values }], percentage: 100 }]).length > 0) return null;
  const subject = new Subject({ properties: new Map([['p', seen]]), distinctId: seen as string });
  const [plain, negated] = [false, true].map((negate) =>
    compileCondition({ attribute, operator, values, negate }).holds(subject),
  );
  if (!plain && !negated) return 'neither';
  if (operator === 'exists') return plain ? 'present' : 'absent';
  if (Array.isArray(seen)) return 'any entry';
  return operator === 'in' && typeof seen !== typeof given ? 'never equal' : 'compared';
}

/** The table of types in docs/targeting.md: one row per operator and type of value that it takes. */
export function typeTable(): string {
  const head = ['operator', 'value given', ...Object.keys(SEEN).map((name) => `${name} seen`)];
  const rows = OPERATOR_NAMES.filter((operator) => operator !== 'cohort').flatMap((operator) =>
    Object.entries(VALUES).flatMap(([name, given]) => {
      const cells = Object.values(SEEN).map((seen) => outcome(operator, seen, given));
      if (cells.includes(null)) {
        const told =
          name === 'none' ? [] : [[`\`${operator}\``, name, 'rejected on save', ...cells.slice(1).map(() => '')]];
        return operator === 'exists' ? [] : told;
      }
      return [[`\`${operator}\``, name, ...cells]];
    }),
  );
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n').replaceAll(/ +\|/g, ' |');
}
