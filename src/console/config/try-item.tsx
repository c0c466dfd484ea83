import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ExplainConfigDocument } from '#documents';
import { messageOf } from '../data/failures.js';
import { useDocument } from '../data/use-document.js';
import { PersonForm, type PersonVariables } from '../rules/person-form.js';
import { RuleExplanations } from '../rules/rule-explanations.js';

/** What a person would get of an item, and why. */
export function TryItem({ itemId, cohorts }: { itemId: string; cohorts: string[] }) {
  const [person, setPerson] = useState<PersonVariables | null>(null);
  const { data, error, fetching } = useDocument(
    ExplainConfigDocument,
    { itemId, ...person },
    { pause: person === null, requestPolicy: 'network-only' },
  );
  const explanation = person && data?.explainConfig;
  return (
    <div className="two">
      <PersonForm cohorts={cohorts} busy={fetching} onAsk={setPerson} />
      <div role="status" aria-label="Outcome">
        {error && (
          <Text size="sm" c="red">
            {messageOf(error)}
          </Text>
        )}
        {explanation ? (
          <Stack gap="sm">
            <Text size="sm">Gets</Text>
            <pre className="code">{explanation.value}</pre>
            <Text size="sm" c="dimmed">
              {explanation.ruleIndex === null
                ? 'No rule applies: the value for everybody.'
                : `By rule ${explanation.ruleIndex + 1}.`}
            </Text>
            <RuleExplanations rules={explanation.rules.map((rule) => ({ ...rule, served: rule.value }))} />
          </Stack>
        ) : (
          <Text size="sm" c="dimmed">
            Say who it is, and see what they get and why. Nothing is counted.
          </Text>
        )}
      </div>
    </div>
  );
}
