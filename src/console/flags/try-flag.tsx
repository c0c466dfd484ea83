import { Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ExplainFlagDocument } from '#documents';
import { useDocument } from '../data/use-document.js';
import { textOf } from '../parts/fields/typed-values.js';
import { Muted } from '../parts/text.js';
import type { PersonVariables } from '../rules/person-form.js';
import { RuleExplanations } from '../rules/rule-explanations.js';
import { Trial } from '../rules/trial.js';

/** The variant a person would get, and why: rule by rule, condition by condition. */
export function TryFlag({ flagId }: { flagId: string }) {
  const [person, setPerson] = useState<PersonVariables | null>(null);
  const { data, error, fetching } = useDocument(
    ExplainFlagDocument,
    { flagId, ...person },
    { pause: person === null, requestPolicy: 'network-only' },
  );
  const explanation = person && data?.explainFlag;
  return (
    <Trial isBusy={fetching} error={error} onAsk={setPerson}>
      {explanation && (
        <>
          <Group gap="xs">
            <Text size="sm">Gets</Text>
            <Badge size="lg">{explanation.decision.variant}</Badge>
            <Text size="sm" className="mono">
              {textOf(explanation.decision.value)}
            </Text>
          </Group>
          <Muted>
            Reason: {explanation.decision.reasonCode}
            {explanation.decision.ruleIndex === null ? '' : `, rule ${explanation.decision.ruleIndex + 1}`}
          </Muted>
          {explanation.prerequisites
            .filter(({ isMet }) => !isMet)
            .map(({ key, variants }) => (
              <Text size="sm" key={key} className="bad">
                Requires <span className="mono">{key}</span> to serve {variants.join(' or ')}, which it doesn't for this
                person.
              </Text>
            ))}
          <RuleExplanations
            rules={explanation.rules.map((rule) => ({ ...rule, served: rule.variant }))}
            decidedBy={explanation.decision.ruleIndex}
          />
        </>
      )}
    </Trial>
  );
}
