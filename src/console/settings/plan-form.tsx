import { useState } from 'react';
import { type Plan, type ProjectSettingsQuery, SetProjectPlanDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { NumberField } from '../parts/fields/number-field.js';
import { FormDialog } from '../parts/form-dialog.js';
import { Muted } from '../parts/text.js';

const PLANS: Readonly<Record<Plan, string>> = {
  hobby: 'Hobby',
  pro: 'Pro',
  growth: 'Growth',
  enterprise: 'Enterprise (no limits)',
};

const LIMITS = {
  events: 'Events per month',
  decisions: 'Decisions per month',
  responses: 'Responses per month',
  symbolBytes: 'Symbol storage (bytes)',
} as const;

type Overrides = Readonly<Record<keyof typeof LIMITS, number | null>>;

interface PlanFormProps {
  usage: Pick<NonNullable<ProjectSettingsQuery['project']>['usage'], 'plan' | 'overrides'>;
  onClose: () => void;
}

/** Edits the project's plan and limits that override it. */
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
      save={() => set({ input: { projectId, plan, overrides } }, 'Saved. The new limits apply now.')}
      onClose={onClose}
    >
      {(faultOf) => (
        <>
          <ChoiceSelect
            label="Plan"
            choices={PLANS}
            value={plan}
            onChange={setPlan}
            error={faultOf('plan')}
            data-autofocus
          />
          <Muted>Override the plan's limits. Only events, decisions and responses in live count.</Muted>
          {(Object.keys(LIMITS) as (keyof Overrides)[]).map((name) => (
            <NumberField
              key={name}
              label={LIMITS[name]}
              placeholder="Plan default"
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
