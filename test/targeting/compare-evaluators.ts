import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Compilation } from '../../src/targeting/compilation.js';
import { compileCondition } from '../../src/targeting/compile-condition.js';
import { compileRules, decideRules } from '../../src/targeting/rules/compile-rules.js';
import { explainRules } from '../../src/targeting/rules/explain-rules.js';
import { ruleProblems } from '../../src/targeting/rules/rule-problems.js';
import { Subject } from '../../src/targeting/subject.js';
import { anyCondition, anyRules, anySubject } from './generated-rules.js';
import { naiveHolds, naiveOutcome } from './naive-evaluator.js';

const anySubjects = fc.array(anySubject, { minLength: 1, maxLength: 3 });

/**
 * Compares the evaluator, its explanation and the naive evaluator on generated cases: two lists of rules that are compiled together,
 * asked for several subjects in turn, so that state kept between subjects shows. Fails at the first difference.
 */
export function compareEvaluators(cases: number, seed: number): { held: number; decided: number } {
  const seen = { held: 0, decided: 0 };
  fc.assert(
    fc.property(anyCondition, anyRules, anyRules, anySubjects, (condition, rules, others, asking) => {
      const compilation = new Compilation();
      const single = compileCondition(condition, compilation);
      const compiled = compileRules(rules, 'flag', compilation);
      const beside = compileRules([...others, ...rules], 'another', compilation);
      for (const facts of asking) {
        const subject = new Subject(facts);
        const holds = single.holds(subject);
        assert.is(holds, naiveHolds(condition, facts), 'one condition');
        const outcome = decideRules(compiled, subject);
        assert.is(outcome, naiveOutcome(rules, 'flag', facts), 'a list of rules');
        const other = decideRules(beside, subject);
        assert.is(other, naiveOutcome([...others, ...rules], 'another', facts), 'a list beside it');
        const explained = explainRules(rules, 'flag', subject).find(({ applies }) => applies);
        const first = explained ? (compiled.rules[explained.index]?.outcome ?? 0) + (explained.share ?? 0) : 0;
        assert.is(first, outcome, 'the explanation');
        seen.held += Number(holds) / asking.length;
        seen.decided += Number(outcome > 0) / asking.length;
      }
      assert.equal(ruleProblems(rules), [], 'may be stored');
    }),
    { numRuns: cases, seed },
  );
  assert.ok(
    Math.min(seen.held, seen.decided) > cases / 20,
    `conditions held ${seen.held} times, rules ${seen.decided}`,
  );
  return seen;
}
