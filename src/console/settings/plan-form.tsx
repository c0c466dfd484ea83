import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { type Plan, type ProjectSettingsQuery, SetProjectPlanDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { NumberField } from '../parts/fields/number-field.js';
import { FormDialog } from '../parts/form-dialog.js';

const PLANS: Readonly<Record<Plan, string>> = {
  hobby: 'Hobby',
  pro: 'Pro',
  growth: 'Growth',
  enterprise: 'Enterprise, without limits',
};

const LIMITS = {
  events: 'Events a month',
  decisions: 'Decisions a month',
  responses: 'Responses a month',
  symbolBytes: 'Bytes of symbols',
} as const;

type Overrides = Readonly<Record<keyof typeof LIMITS, number | null>>;

interface PlanFormProps {
  usage: Pick<NonNullable<ProjectSettingsQuery['project']>['usage'], 'plan' | 'overrides'>;
  onClose: () => void;
}

/** The form for the plan of the project, and limits in place of the plan's. */
export function PlanForm({ usage, onClose }: PlanFormProps) {
  const { projectId } = useScope();
  const [plan, setPlan] = useState<Plan>(usage.plan);
  const { events, decisions, responses, symbolBytes } = usage.overrides;
  const [overrides, setOverrides] = useState<Overrides>({ events, decisions, responses, symbolBytes });
  const [set] = useChange(SetProjectPlanDocument, { quiet: true });
  return (
    <FormDialog
      title="Plan and limits"
      action="Save"
      save={() => set({ input: { projectId, plan, overrides } }, 'The limits are in force.')}
      onClose={onClose}
    >
      {(faultOf) => (
        <>
          <Select
            label="Plan"
            data={Object.entries(PLANS).map(([value, label]) => ({ value, label }))}
            value={plan}
            onChange={(next) => next && setPlan(next as Plan)}
            allowDeselect={false}
            error={faultOf('plan')}
            data-autofocus
          />
          <Text size="sm" c="dimmed">
            Limits in place of the plan's. Of events, decisions and responses only those of live count.
          </Text>
          {(Object.keys(LIMITS) as (keyof Overrides)[]).map((name) => (
            <NumberField
              key={name}
              label={LIMITS[name]}
              placeholder="As in the plan"
              allowNegative={false}
              value={overrides[name] ?? undefined}
              onChange={(limit) => setOverrides({ ...overrides, [name]: limit })}
              onEmpty={() => setOverrides({ ...overrides, [name]: null })}
              error={faultOf(`overrides.${name}`)}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}
