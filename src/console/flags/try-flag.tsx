import { Badge, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ExplainFlagDocument } from '#documents';
import { messageOf } from '../data/failures.js';
import { useDocument } from '../data/use-document.js';
import { PersonForm, type PersonVariables } from '../rules/person-form.js';
import { RuleExplanations } from '../rules/rule-explanations.js';
import { textOf } from '../rules/typed-values.js';

/** What a person would get of a flag, and why: rule by rule, condition by condition. */
export function TryFlag({ flagId, cohorts }: { flagId: string; cohorts: string[] }) {
  const [person, setPerson] = useState<PersonVariables | null>(null);
  const { data, error, fetching } = useDocument(
    ExplainFlagDocument,
    { flagId, ...person },
    { pause: person === null, requestPolicy: 'network-only' },
  );
  const explanation = person && data?.explainFlag;
  return (
    <div className="two">
      <PersonForm cohorts={cohorts} busy={fetching} onAsk={setPerson} />
      <div role="status" aria-label="Outcome">
        {error && (
          <Text size="sm" c="red">
            {messageOf(error)}
          </Text>
        )}
        {explanation && (
          <Stack gap="sm">
            <Group gap="xs">
              <Text size="sm">Gets</Text>
              <Badge size="lg">{explanation.decision.variant}</Badge>
              <Text size="sm" className="mono">
                {textOf(explanation.decision.value)}
              </Text>
            </Group>
            <Text size="sm" c="dimmed">
              Reason: {explanation.decision.reason}
              {explanation.decision.ruleIndex === null ? '' : `, rule ${explanation.decision.ruleIndex + 1}`}
            </Text>
            <RuleExplanations rules={explanation.rules.map((rule) => ({ ...rule, served: rule.variant }))} />
          </Stack>
        )}
        {!explanation && !error && (
          <Text size="sm" c="dimmed">
            Say who it is, and see what they get and why. Nothing is counted.
          </Text>
        )}
      </div>
    </div>
  );
}
