import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseBranchingPredicate } from '../../../../src/modules/pulse/predicates/branching-predicate.js';
import { PredicateSyntaxError } from '../../../../src/modules/pulse/predicates/predicate-scanner.js';
import { MAX_PREDICATE_DEPTH } from '../../../../src/modules/pulse/predicates/predicate-tree.js';
import { parseTargetingPredicate } from '../../../../src/modules/pulse/predicates/targeting-predicate.js';

const predicates = suite('targeting and branching predicates');

function positionOf(parse: (text: string) => unknown, text: string): number {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof PredicateSyntaxError) return error.position;
    throw error;
  }
  return assert.unreachable(`${text} was accepted`) as never;
}

const nested = (depth: number) => `${'AND(screen:a,'.repeat(depth)}screen:b${')'.repeat(depth)}`;

for (const [text, tree] of [
  ['event:checkout_completed', { op: 'event', name: 'checkout_completed' }],
  ['  event: Checkout Completed ', { op: 'event', name: 'Checkout Completed' }],
  ['event:"a, (b) \\"c\\" \\\\"', { op: 'event', name: 'a, (b) "c" \\' }],
  ['session_count >= 3', { op: 'session_count', atLeast: 3 }],
  ['session_count>=03', { op: 'session_count', atLeast: 3 }],
  ['cohort:beta', { op: 'cohort', name: 'beta' }],
  ['screen:/cart?x=1', { op: 'screen', name: '/cart?x=1' }],
  ['props.plan = "pro"', { op: 'props', key: 'plan', value: 'pro' }],
  ['props."my key"="a\\\\\\"b"', { op: 'props', key: 'my key', value: 'a\\"b' }],
  ['props.__proto__ = ""', { op: 'props', key: '__proto__', value: '' }],
  ['event:ANDROID', { op: 'event', name: 'ANDROID' }],
  [
    'AND( event:x , OR(cohort:a,\n\tprops.k = ",)" ) )',
    {
      op: 'AND',
      operands: [
        { op: 'event', name: 'x' },
        {
          op: 'OR',
          operands: [
            { op: 'cohort', name: 'a' },
            { op: 'props', key: 'k', value: ',)' },
          ],
        },
      ],
    },
  ],
] as const) {
  predicates(`targeting reads ${text}`, () => {
    assert.equal(parseTargetingPredicate(text), tree);
  });
}

for (const [text, position] of [
  ['', 0],
  ['   ', 3],
  ['evnt:x', 0],
  ['event:', 6],
  ['event:""', 6],
  ['event:a, b', 7],
  ['session_count > 3', 14],
  ['session_count >= x', 17],
  ['session_count >= 3 4', 19],
  ['session_count >= 1234567890', 17],
  ['props.plan = pro', 13],
  ['props.plan "pro"', 11],
  ['props. = "x"', 7],
  ['props.a = "x', 12],
  ['props.a = "\\n"', 11],
  ['AND(event:a)', 11],
  ['AND(event:a, event:b', 20],
  ['AND(event:a, event:b, event:c)', 20],
  ['and(event:a, event:b)', 0],
  ['OR event:a', 0],
  ['event:a)', 7],
] as const) {
  predicates(`targeting refuses ${JSON.stringify(text)} at ${position}`, () => {
    assert.is(positionOf(parseTargetingPredicate, text), position);
  });
}

for (const [text, tree] of [
  ['answer <= 6', { op: '<=', value: 6 }],
  ['answer=="yes"', { op: '=', value: 'yes' }],
  ['answer != true', { op: '!=', value: true }],
  ['answer>-1.5', { op: '>', value: -1.5 }],
  ['answer >= "2026-01-01"', { op: '>=', value: '2026-01-01' }],
  ['answer contains "red"', { op: 'contains', value: 'red' }],
  ['answered', { op: 'answered' }],
  ['always', { op: 'always' }],
  [
    'AND(answer > 2, answer < 5)',
    {
      op: 'AND',
      operands: [
        { op: '>', value: 2 },
        { op: '<', value: 5 },
      ],
    },
  ],
] as const) {
  predicates(`branching reads ${text}`, () => {
    assert.equal(parseBranchingPredicate(text), tree);
  });
}

for (const [text, position] of [
  ['answer', 6],
  ['answer ~ 3', 7],
  ['answer > six', 9],
  ['answer = 5.', 9],
  ['answer = truely', 9],
  ['answers = 1', 0],
  ['answer contains 3', 16],
  ['score > 3', 0],
  ['answer > 3 answer', 11],
] as const) {
  predicates(`branching refuses ${JSON.stringify(text)} at ${position}`, () => {
    assert.is(positionOf(parseBranchingPredicate, text), position);
  });
}

predicates('nesting and length have limits, and hostile depth costs nothing', () => {
  assert.ok(parseTargetingPredicate(nested(MAX_PREDICATE_DEPTH)));
  assert.is(positionOf(parseTargetingPredicate, nested(MAX_PREDICATE_DEPTH + 1)), MAX_PREDICATE_DEPTH * 13 + 3);
  assert.is(positionOf(parseTargetingPredicate, `event:${'x'.repeat(2000)}`), 2000);
  assert.is(positionOf(parseTargetingPredicate, 'AND('.repeat(1_000_000)), 2000);
});

predicates('an error says where and what was expected', () => {
  assert.throws(() => parseTargetingPredicate('session_count > 3'), /At character 15: expected ">="/);
});

predicates.run();
