import { Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { AudienceSizeDocument } from '#documents';
import { useMay, useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { Muted } from '../parts/text.js';
import { inputOf, type RuleDraft } from './rule-draft.js';

interface AudienceSizeProps {
  rules: readonly RuleDraft[];
  salt: string;
  /** Begins the sentence, where no title says what is counted. */
  covered?: string;
}

/** How many stored people the rules cover as edited, saved or not. */
export function AudienceSize({ rules, salt, covered }: AudienceSizeProps) {
  const { projectId, environment } = useScope();
  const mayCount = useMay('person_search');
  const [settled] = useDebouncedValue(rules, 600);
  const whole = settled.filter(({ conditions }) =>
    conditions.every(({ operator, values }) => operator === 'exists' || values.length > 0),
  );
  const { data } = useDocument(
    AudienceSizeDocument,
    { projectId, environment, salt, rules: whole.map(inputOf) },
    { pause: !mayCount || rules.length === 0 || whole.length < settled.length, requestPolicy: 'cache-first' },
  );
  const size = rules.length === 0 ? null : data?.audienceSize;
  if (!size || size.total === 0) return null;
  const assumed =
    size.assumed.length === 0 ? '' : ` Assumed to match, as only requests carry it: ${size.assumed.join(', ')}.`;
  return (
    <Tooltip label={`Out of all stored people${size.isEstimate ? `, give or take ${size.margin}` : ''}.${assumed}`}>
      <Muted size="xs">
        {covered ? `${covered} ` : ''}
        {size.isEstimate ? '≈ ' : ''}
        {size.persons.toLocaleString('en')} of {size.total.toLocaleString('en')} people
      </Muted>
    </Tooltip>
  );
}
