import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compilePattern, MOST_POSITIONS } from '../../src/targeting/patterns/compile-pattern.js';
import { PatternProblem } from '../../src/targeting/patterns/parse-pattern.js';

const x = suite('patterns');

const { pattern: patterns } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      'a',
      'b',
      '-',
      'é',
      '🚀',
      '\\d',
      '\\w',
      '\\S',
      '\\.',
      '[ab]',
      '[^a-c]',
      '[\\d-]',
      '^',
      '$',
      '[^\\n]',
    ),
    tie('pattern').map((inside) => `(${inside})`),
    tie('pattern').map((inside) => `(?:${inside})`),
    fc
      .tuple(tie('part'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '*?'))
      .map(([part, count]) => `(?:${part})${count}`),
  ),
  pattern: fc
    .array(
      fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      {
        minLength: 1,
        maxLength: 2,
      },
    )
    .map((choices) => choices.join('|')),
}));
const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'A', '7', '.', '-', '_', ' ', '\n', 'é', '🚀'), { maxLength: 9 });

x('find what a backtracking engine finds', () => {
  let found = 0;
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 4, maxLength: 4 }), fc.boolean(), (pattern, samples, folded) => {
      const referee = new RegExp(pattern, folded ? 'iu' : 'u');
      let matches: (text: string) => boolean;
      try {
        ({ matches } = compilePattern(`${folded ? '(?i)' : ''}${pattern}`));
      } catch (error) {
        assert.instance(error, PatternProblem);
        return;
      }
      for (const sample of samples) {
        const text = sample.join('');
        found += Number(referee.test(text));
        assert.is(matches(text), referee.test(text), `${pattern} on ${JSON.stringify(text)}`);
      }
    }),
    { numRuns: 1_500, seed: 20_261_122 },
  );
  assert.ok(found > 500, `${found} matches in all`);
});

const good: [string, string[], string[]][] = [
  ['^[\\w.]+@example\\.com$', ['a.b@example.com'], ['a@example.org', 'a b@example.com', 'a@exampleXcom']],
  ['(?i)^pro', ['Pro', 'PROFESSIONAL'], ['a pro']],
  ['a.c', ['abc', 'a🚀c', 'xxa-c'], ['a\nc', 'ac']],
  ['^$', [''], ['a']],
  ['x{2,3}$', ['xx', 'axxx', 'xxxx'], ['x', 'xxa']],
  ['[^\\d]', ['a1'], ['11']],
  ['[a\\]-]', [']', '-'], ['b']],
  ['a{', ['a{'], ['a']],
  ['\\n', ['a\nb'], ['n']],
];

x('match what they describe', () => {
  for (const [pattern, hits, misses] of good) {
    const { matches } = compilePattern(pattern);
    for (const text of hits) assert.is(matches(text), true, `${pattern} in ${text}`);
    for (const text of misses) assert.is(matches(text), false, `${pattern} not in ${text}`);
  }
});

x('are refused with the problem and its position', () => {
  const bad: [string, RegExp][] = [
    ['(a', /^has a group that is not closed, at character 3$/],
    ['a)', /unmatched "\)", at character 2$/],
    ['*a', /repetition of nothing, at character 1$/],
    ['a**', /repetition of a repetition/],
    ['[a', /class that is not closed/],
    ['[z-a]', /range in reverse order/],
    ['(?=a)', /neither \(…\) nor \(\?:…\)/],
    ['(?<x>a)', /neither/],
    ['\\1', /unknown escape \\1/],
    ['\\b', /unknown escape \\b/],
    ['\\', /trailing backslash/],
    ['a{3,2}', /maximum is below its minimum/],
    ['a{101}', /more than 100 repetitions/],
    ['(((a{10}){10}){10})', new RegExp(`more than ${MOST_POSITIONS} characters`)],
    ['((()*){100}){100}', /too many nested repetitions/],
    [`${'('.repeat(30)}a${')'.repeat(30)}`, /more than 20 nested groups/],
  ];
  for (const [pattern, words] of bad) {
    assert.throws(
      () => compilePattern(pattern),
      (error: Error) => error instanceof PatternProblem && words.test(error.message),
      pattern,
    );
  }
});

x('take time proportional to the text, whatever pattern and text are', () => {
  const hostile = [
    '(a*)*b',
    '(a|aa)*c',
    '(a|a?)+$',
    '.*a.{40}$',
    '(.*)(.*)(.*)[^a]',
    '([ab]*a[ab]{30}){2}$',
    'a{100}b',
  ];
  for (const pattern of hostile) {
    const { matches } = compilePattern(pattern);
    const text = Array.from({ length: 20_000 }, (_, at) => ((at * at) % 7 < 3 ? 'b' : 'a')).join('');
    const began = process.cpuUsage().user;
    matches(text);
    const spent = (process.cpuUsage().user - began) / 1_000;
    // A backtracking engine would need longer than the age of the universe for the first of them.
    assert.ok(spent < 1_000, `${pattern}: ${spent} ms for 20,000 characters`);
  }
});

x.run();
