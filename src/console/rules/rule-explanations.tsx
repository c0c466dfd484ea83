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

export function RuleExplanations({ rules }: { rules: readonly ExplainedRule[] }) {
  return (
    <Stack gap="xs">
      {rules.map((rule) => (
        <section
          key={rule.index}
          className={rule.applies ? 'rule rule-hit' : 'rule'}
          aria-label={`Rule ${rule.index + 1}`}
        >
          <Text size="sm" fw={600}>
            <Sign holds={rule.applies} /> Rule {rule.index + 1}
            {rule.applies && rule.served ? ` serves ${rule.served}` : ''}
          </Text>
          <Muted size="xs">
            {rule.because}
            {rule.bucket === null ? '' : ` (bucket ${rule.bucket}, ${rule.percentage}%)`}
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

function Sign({ holds }: { holds: boolean }) {
  return (
    <span className={holds ? 'good' : 'bad'} role="img" aria-label={holds ? 'matches' : "doesn't match"}>
      {holds ? '✓' : '✗'}
    </span>
  );
}
