import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { compileCondition } from '../../src/targeting/compile-condition.js';
import { compileRules, decideRules } from '../../src/targeting/rules/compile-rules.js';
import { explainRules } from '../../src/targeting/rules/explain-rules.js';
import { ruleProblems } from '../../src/targeting/rules/rule-problems.js';
import { Subject } from '../../src/targeting/subject.js';
import { anyCondition, anyRules, anySubject } from './generated-rules.js';
import { naiveHolds, naiveOutcome } from './naive-evaluator.js';

/** Compares the evaluator, its explanation and the naive evaluator on generated cases. Fails at the first difference. */
export function compareEvaluators(cases: number, seed: number): { held: number; decided: number } {
  const seen = { held: 0, decided: 0 };
  fc.assert(
    fc.property(anyCondition, anyRules, anySubject, (condition, rules, facts) => {
      const subject = new Subject(facts);
      const holds = compileCondition(condition).holds(subject);
      assert.is(holds, naiveHolds(condition, facts), 'one condition');
      const compiled = compileRules(rules, 'flag');
      const outcome = decideRules(compiled, subject);
      assert.is(outcome, naiveOutcome(rules, 'flag', facts), 'a list of rules');
      const explained = explainRules(rules, 'flag', subject).find(({ applies }) => applies);
      const first = explained ? (compiled.rules[explained.index]?.outcome ?? 0) + (explained.share ?? 0) : 0;
      assert.is(first, outcome, 'the explanation');
      assert.equal(ruleProblems(rules), [], 'may be stored');
      seen.held += Number(holds);
      seen.decided += Number(outcome > 0);
    }),
    { numRuns: cases, seed },
  );
  assert.ok(
    Math.min(seen.held, seen.decided) > cases / 20,
    `conditions held ${seen.held} times, rules ${seen.decided}`,
  );
  return seen;
}
