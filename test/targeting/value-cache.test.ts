import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileRules, decideRules } from '../../src/targeting/rules/compile-rules.js';
import type { Rule } from '../../src/targeting/rules/rule.js';
import { Subject, type SubjectFacts } from '../../src/targeting/subject.js';

const x = suite('values that are kept from one subject for the next');

const rule = (...conditions: Rule['conditions']): Rule => ({ conditions, percentage: 100 });

x('stay the same after others have evicted them', () => {
  const rules = [
    rule({ attribute: 'app_version', operator: 'semver', values: ['>=2.1 <3'] }),
    rule({ attribute: 'props.seats', operator: 'gte', values: [10_500] }),
    rule({ attribute: 'locale', operator: 'starts_with', values: ['fr'], negate: true }),
  ];
  const compiled = compileRules(rules, 'flag');
  for (let person = 0; person < 11_000; person += 1) {
    const facts = {
      appVersion: `${person % 4}.${person % 3}`,
      locale: person % 2 ? 'fr-FR' : `x-${person}`,
      properties: new Map([['seats', person]]),
    };
    const anew = decideRules(compileRules(rules, 'flag'), new Subject(facts));
    assert.is(decideRules(compiled, new Subject(facts)), anew, `person ${person}`);
  }
});

x('distinguish types, such as a text from a number that looks like it', () => {
  const rules = [
    rule({ attribute: 'props.a', operator: 'in', values: ['1'] }),
    rule({ attribute: 'props.a', operator: 'in', values: [1] }),
    rule({ attribute: 'props.a', operator: 'exists', values: [] }),
  ];
  const compiled = compileRules(rules, 'flag');
  const decide = (a: unknown) => decideRules(compiled, new Subject({ properties: new Map([['a', a]]) }));
  for (let time = 0; time < 2; time += 1) {
    assert.equal(['1', 1, true, null, ['1'], [1]].map(decide), [1, 2, 3, 0, 1, 2]);
  }
});

x("depend on each subject's clock and cohorts, however alike the rest is", () => {
  const rules = [
    rule({ attribute: 'props.joined', operator: 'after', values: ['-7d'] }),
    rule({ attribute: 'distinct_id', operator: 'cohort', values: ['beta'] }),
    rule({ attribute: 'props.joined', operator: 'before', values: ['2026-11-10'] }),
  ];
  const compiled = compileRules(rules, 'flag');
  const decide = (facts: SubjectFacts) =>
    decideRules(
      compiled,
      new Subject({ distinctId: 'u', properties: new Map([['joined', '2026-11-05T00:00:00Z']]), ...facts }),
    );
  const [soon, later] = [Date.UTC(2026, 10, 6), Date.UTC(2026, 10, 22)];
  assert.equal(
    [
      decide({ now: soon }),
      decide({ now: later }),
      decide({ now: later, cohorts: ['beta'] }),
      decide({ now: soon }),
      decide({ now: later }),
    ],
    [1, 3, 2, 1, 3],
  );
});

x.run();
