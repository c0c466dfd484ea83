import { Group } from '@mantine/core';
import { useState } from 'react';
import {
  type AlertCondition,
  type AlertRulesQuery,
  CreateAlertRuleDocument,
  UpdateAlertRuleDocument,
} from '#documents';
import { isolated } from '../data/notify.js';
import { useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { changedOf } from '../editor/changed.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { NameField } from '../parts/fields/name-field.js';
import { NumberField } from '../parts/fields/number-field.js';
import { FormDialog } from '../parts/form-dialog.js';

type Rule = NonNullable<AlertRulesQuery['alertRules']>['nodes'][number];

export const ALERT_CONDITIONS: Readonly<Record<AlertCondition, string>> = {
  issue_created: 'A new issue',
  issue_regressed: 'A resolved issue happens again',
  event_count: 'Number of events for one issue',
};

/** Creates or edits an alert rule. The condition of an existing rule can't change. */
export function AlertRuleForm({ rule, onClose }: { rule: Rule | null; onClose: () => void }) {
  const { projectId, environment } = useScope();
  const before = {
    name: rule?.name ?? '',
    threshold: rule?.threshold ?? 100,
    windowMinutes: rule?.windowMinutes ?? 60,
  };
  const [name, setName] = useState(before.name);
  const [condition, setCondition] = useState<AlertCondition>(rule?.condition ?? 'issue_created');
  const [threshold, setThreshold] = useState(before.threshold);
  const [windowMinutes, setWindow] = useState(before.windowMinutes);
  const [create] = useChange(CreateAlertRuleDocument, { quiet: true });
  const [update] = useChange(UpdateAlertRuleDocument, { quiet: true });
  const save = () => {
    const counted = condition === 'event_count' ? { threshold, windowMinutes } : {};
    return rule
      ? update({ input: { id: rule.id, ...changedOf(before, { name, threshold, windowMinutes }) } }, 'Saved.')
      : create({ input: { projectId, environment, name, condition, ...counted } }, `${isolated(name)} created.`);
  };
  return (
    <FormDialog
      title={rule ? rule.name : 'New alert rule'}
      action={rule ? 'Save' : 'Create rule'}
      save={save}
      onClose={onClose}
    >
      {(faultOf) => (
        <>
          <NameField value={name} onChange={setName} error={faultOf('name')} />
          <ChoiceSelect
            label="When"
            choices={ALERT_CONDITIONS}
            value={condition}
            disabled={rule !== null}
            onChange={setCondition}
          />
          {condition === 'event_count' && (
            <Group grow>
              <NumberField
                label="Events"
                error={faultOf('threshold')}
                min={1}
                value={threshold}
                onChange={setThreshold}
              />
              <NumberField
                label="Within (minutes)"
                error={faultOf('windowMinutes')}
                min={1}
                value={windowMinutes}
                onChange={setWindow}
              />
            </Group>
          )}
        </>
      )}
    </FormDialog>
  );
}
