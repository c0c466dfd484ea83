import { Button } from '@mantine/core';
import type { ProjectSettingsQuery } from '#documents';
import { useMay } from '../data/scope.js';
import { useOpened } from '../data/use-opened.js';
import { Facts } from '../parts/facts.js';
import { Panel } from '../parts/page.js';
import { sizeInWords } from '../parts/short-numbers.js';
import { capitalized, Muted } from '../parts/text.js';
import { PlanForm } from './plan-form.js';

type ProjectUsage = NonNullable<ProjectSettingsQuery['project']>['usage'];

const amountOf = (limit: number | null): string => (limit === null ? 'unlimited' : limit.toLocaleString('en'));

/** The project's usage this month. Operators of the installation can change its plan. */
export function Usage({ usage }: { usage: ProjectUsage }) {
  const may = useMay('quota_change');
  const [isOpen, open, close] = useOpened('plan', may);
  const { plan, retentionDays, symbolBytesLimit, meters } = usage;
  return (
    <Panel
      title="Usage this month"
      aside={
        may && (
          <Button variant="default" size="compact-xs" onClick={open}>
            Change plan
          </Button>
        )
      }
    >
      <Facts
        facts={{
          Plan: capitalized(plan),
          'Event retention': `${retentionDays} days`,
          ...Object.fromEntries(
            meters.map(({ meter, current, limit }) => [
              capitalized(meter),
              `${current.toLocaleString('en')} of ${amountOf(limit)}`,
            ]),
          ),
          'Symbol storage limit': symbolBytesLimit === null ? 'unlimited' : sizeInWords(symbolBytesLimit),
        }}
      />
      {!may && (
        <Muted size="xs" mt="sm">
          Plans and limits are set by the installation's operators, who are the owners of its first organization.
        </Muted>
      )}
      {isOpen && <PlanForm usage={usage} onClose={close} />}
    </Panel>
  );
}
