import { Stack, Text } from '@mantine/core';
import type { ConditionOperator } from '#documents';
import { textOf } from '../parts/fields/typed-values.js';
import { Muted } from '../parts/text.js';
import { OPERATOR_WORDS } from './operators.js';

interface ExplainedRule {
  index: number;
  applies: boolean;
  because: string;
  percentage: number;
  bucket: number | null;
  served: string | null;
  conditions: readonly {
    attribute: string;
    operator: ConditionOperator | null;
    negate: boolean | null;
    values: readonly unknown[];
    seen: unknown;
    holds: boolean;
    because: string | null;
  }[];
}

interface RuleExplanationsProps {
  rules: readonly ExplainedRule[];
  /** The rule that decided; null if none did, such as while a flag is halted. */
  decidedBy: number | null;
}

/** Every rule with its conditions: whether it matches, and whether it is the one that decides. */
export function RuleExplanations({ rules, decidedBy }: RuleExplanationsProps) {
  return (
    <Stack gap="xs">
      {rules.map((rule) => (
        <section
          key={rule.index}
          className={rule.index === decidedBy ? 'rule rule-hit' : 'rule'}
          aria-label={`Rule ${rule.index + 1}`}
        >
          <Text size="sm" fw={600}>
            <Sign holds={rule.applies} /> Rule {rule.index + 1}
            {rule.applies && rule.served ? servesWords(rule.index, rule.served, decidedBy) : ''}
          </Text>
          <Muted size="xs">
            {rule.because}
            {rule.bucket === null || rule.because.startsWith('bucket ')
              ? ''
              : ` (bucket ${rule.bucket}, ${rule.percentage}%)`}
          </Muted>
          {rule.conditions.map((condition, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity other than their position
            <Text size="xs" key={at} mt={4}>
              <Sign holds={condition.holds} /> <span className="mono">{condition.attribute}</span>{' '}
              {condition.operator ? OPERATOR_WORDS[condition.operator][condition.negate ? 1 : 0] : 'is'}{' '}
              <span className="mono">{condition.values.map(textOf).join(', ')}</span>
              <span className="soft">
                {' '}
                (seen: {condition.seen === null || condition.seen === undefined ? 'nothing' : textOf(condition.seen)}
                {condition.because ? `; ${condition.because}` : ''})
              </span>
            </Text>
          ))}
        </section>
      ))}
    </Stack>
  );
}

function servesWords(index: number, served: string, decidedBy: number | null): string {
  if (index === decidedBy) return ` serves ${served}`;
  const before = decidedBy !== null && decidedBy < index ? `, but rule ${decidedBy + 1} comes first` : '';
  return ` would serve ${served}${before}`;
}

function Sign({ holds }: { holds: boolean }) {
  return (
    <span className={holds ? 'good' : 'bad'} role="img" aria-label={holds ? 'matches' : "doesn't match"}>
      {holds ? '✓' : '✗'}
    </span>
  );
}
