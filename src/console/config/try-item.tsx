import { Text } from '@mantine/core';
import { useState } from 'react';
import { ExplainConfigDocument } from '#documents';
import { useDocument } from '../data/use-document.js';
import { Muted } from '../parts/text.js';
import type { PersonVariables } from '../rules/person-form.js';
import { RuleExplanations } from '../rules/rule-explanations.js';
import { Trial } from '../rules/trial.js';

/** Shows the value a person would get, and why. */
export function TryItem({ itemId }: { itemId: string }) {
  const [person, setPerson] = useState<PersonVariables | null>(null);
  const { data, error, fetching } = useDocument(
    ExplainConfigDocument,
    { itemId, ...person },
    { pause: person === null, requestPolicy: 'network-only' },
  );
  const explanation = person && data?.explainConfig;
  return (
    <Trial isBusy={fetching} error={error} onAsk={setPerson}>
      {explanation && (
        <>
          <Text size="sm">Gets</Text>
          <pre className="code">{explanation.value}</pre>
          <Muted>
            {explanation.ruleIndex === null
              ? 'No rule applies: the default value.'
              : `Matched rule ${explanation.ruleIndex + 1}.`}
          </Muted>
          <RuleExplanations
            rules={explanation.rules.map((rule) => ({ ...rule, served: rule.value }))}
            decidedBy={explanation.ruleIndex}
          />
        </>
      )}
    </Trial>
  );
}
