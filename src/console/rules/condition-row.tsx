import { Autocomplete, Select, TagsInput } from '@mantine/core';
import type { ConditionOperator } from '#documents';
import { useFaultAt } from '../editor/faults.js';
import { RemoveButton } from '../parts/fields/arrange.js';
import { roundedIn, textOf, typedValue } from '../parts/fields/typed-values.js';
import { ATTRIBUTES, hintOf, OPERATOR_WORDS, operatorsOf, takesTexts } from './operators.js';
import type { ConditionDraft } from './rule-draft.js';
import { useCohorts } from './use-cohorts.js';

interface ConditionRowProps {
  condition: ConditionDraft;
  withoutCohorts: boolean;
  disabled: boolean;
  onChange: (condition: ConditionDraft) => void;
  onRemove: () => void;
}

const OLDER = 'older';

const plainText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A value typed for another operator becomes a text where the operator compares texts. */
const asCompared = (condition: ConditionDraft): ConditionDraft =>
  takesTexts(condition.attribute, condition.operator)
    ? { ...condition, values: condition.values.map(plainText) }
    : condition;

/** One condition: attribute, operator (plain or negated), values. */
export function ConditionRow({ condition, withoutCohorts, disabled, onChange, onRemove }: ConditionRowProps) {
  const faultAt = useFaultAt();
  const { attribute, operator, negate, values, warning } = condition;
  const change = (next: ConditionDraft) => onChange({ ...next, warning: null });
  const allowedFor = (name: string) => operatorsOf(name).filter((one) => !withoutCohorts || one !== 'cohort');
  const possible = allowedFor(attribute);
  const isText = takesTexts(attribute, operator);
  const read = (text: string): unknown => (isText || roundedIn(text) ? text : typedValue(text));
  const choose = (next: string) => {
    const allowed = allowedFor(next);
    const kept = operator === null || allowed.includes(operator) ? operator : (allowed[0] ?? 'in');
    change(asCompared({ ...condition, attribute: next, operator: kept }));
  };
  const compare = (choice: string) => {
    if (choice === OLDER) return;
    const isNegated = choice.startsWith('!');
    const chosen = (isNegated ? choice.slice(1) : choice) as ConditionOperator;
    const kept = chosen === 'exists' ? [] : values;
    change(asCompared({ ...condition, operator: chosen, negate: isNegated, values: kept }));
  };
  const isPlain = ATTRIBUTES.includes(attribute);
  const key = isPlain || /^(props|context)\./.test(attribute) ? '' : attribute;
  const cohorts = useCohorts(!withoutCohorts && (operator === 'cohort' || attribute === 'cohort'));
  return (
    <div className="condition">
      <Autocomplete
        aria-label="Attribute"
        data={[`props.${key}`, `context.${key}`, ...ATTRIBUTES.filter((name) => !withoutCohorts || name !== 'cohort')]}
        filter={isPlain ? ({ options }) => options : undefined}
        value={attribute}
        onChange={choose}
        error={faultAt(condition, 'attribute')}
        disabled={disabled}
        className="mono"
      />
      <Select
        aria-label="Comparison"
        data={[
          ...(operator === null ? [{ value: OLDER, label: 'equals (legacy)' }] : []),
          ...possible.flatMap((one) => [
            { value: one, label: OPERATOR_WORDS[one][0] },
            { value: `!${one}`, label: OPERATOR_WORDS[one][1] },
          ]),
        ]}
        value={operator === null ? OLDER : `${negate ? '!' : ''}${operator}`}
        onChange={(choice) => choice && compare(choice)}
        error={faultAt(condition, 'operator')}
        disabled={disabled}
      />
      {operator === 'exists' ? (
        <span />
      ) : (
        <TagsInput
          aria-label="Values"
          placeholder={values.length === 0 ? hintOf(operator) : undefined}
          {...cohorts}
          value={values.map(isText ? plainText : textOf)}
          onChange={(texts) => change({ ...condition, values: texts.map(read) })}
          acceptValueOnBlur
          // A warning doesn't keep the rules from being saved.
          description={warning}
          descriptionProps={{ className: 'warn' }}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={faultAt(condition, 'values')}
          disabled={disabled}
        />
      )}
      <RemoveButton what="condition" onClick={onRemove} disabled={disabled} />
    </div>
  );
}
