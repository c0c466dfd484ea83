import { Group, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  type AlertCondition,
  AlertRulesDocument,
  CreateAlertRuleDocument,
  DeleteAlertRuleDocument,
  UpdateAlertRuleDocument,
  UpdateCrashSettingsDocument,
} from '#documents';
import { useMay, useScope } from '../app/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Page, Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { When } from '../parts/when.js';
import { CrashTabs } from './crash-tabs.js';

const CONDITIONS: Readonly<Record<AlertCondition, string>> = {
  issue_created: 'A new issue',
  issue_regressed: 'A resolved issue comes back',
  event_count: 'So many events of one issue',
};

/** When the server says so by an event (`catch.alert.fired`), and which share of crashes SDKs send. */
export function AlertsPage() {
  const { projectId, environment } = useScope();
  const { data } = useDocument(AlertRulesDocument, { projectId, environment });
  const mayManage = useMay('catch_alert_rule_manage');
  const [remove] = useChange(DeleteAlertRuleDocument);
  const [update] = useChange(UpdateAlertRuleDocument);
  const rules = data?.alertRules?.nodes ?? [];
  return (
    <Page title="Crashes">
      <CrashTabs here="alerts" />
      <Panel title="Alert rules">
        {rules.length === 0 && (
          <Text size="sm" c="dimmed">
            No rule yet. A webhook that listens to <code>catch.alert.fired</code> hears when one fires.
          </Text>
        )}
        <table className="plain-table">
          <tbody>
            {rules.map((rule) => (
              <tr key={rule.id}>
                <td>
                  <strong>{rule.name}</strong>
                  <Text size="xs" c="dimmed">
                    {CONDITIONS[rule.condition]}
                    {rule.condition === 'event_count' ? `: ${rule.threshold} in ${rule.windowMinutes} min` : ''}
                  </Text>
                </td>
                <td>
                  fired <When at={rule.lastFiredAt} />
                </td>
                <td>
                  <Group gap={4} justify="flex-end">
                    {rule.condition === 'event_count' && (
                      <Permitted
                        may={mayManage}
                        variant="subtle"
                        size="compact-xs"
                        onClick={() => update({ input: { id: rule.id, threshold: rule.threshold * 2 } }, 'Saved.')}
                      >
                        Half as easily
                      </Permitted>
                    )}
                    <Permitted
                      may={mayManage}
                      variant="subtle"
                      color="red"
                      size="compact-xs"
                      onClick={() => remove({ id: rule.id }, `${rule.name} is deleted.`)}
                    >
                      Delete
                    </Permitted>
                  </Group>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <NewRule />
      </Panel>
      <Panel title="Sampling">
        <SampleRate key={data?.crashSettings?.sampleRate} rate={data?.crashSettings?.sampleRate ?? 1} />
      </Panel>
    </Page>
  );
}

function NewRule() {
  const { projectId, environment } = useScope();
  const mayManage = useMay('catch_alert_rule_manage');
  const [name, setName] = useState('');
  const [condition, setCondition] = useState<AlertCondition>('issue_created');
  const [threshold, setThreshold] = useState(100);
  const [windowMinutes, setWindow] = useState(60);
  const [create, creating] = useChange(CreateAlertRuleDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const counted = condition === 'event_count' ? { threshold, windowMinutes } : {};
    const { error } = await create(
      { input: { projectId, environment, name, condition, ...counted } },
      `${name} is watching.`,
    );
    if (!error) setName('');
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" mt="sm">
        <TextInput label="Name" required value={name} onChange={(e) => setName(e.currentTarget.value)} />
        <Select
          label="When"
          data={Object.entries(CONDITIONS).map(([value, label]) => ({ value, label }))}
          value={condition}
          onChange={(next) => next && setCondition(next as AlertCondition)}
          w={220}
        />
        {condition === 'event_count' && (
          <>
            <NumberInput
              label="Events"
              min={1}
              value={threshold}
              onChange={(value) => setThreshold(Number(value))}
              w={90}
            />
            <NumberInput
              label="Minutes"
              min={1}
              value={windowMinutes}
              onChange={(value) => setWindow(Number(value))}
              w={90}
            />
          </>
        )}
        <Permitted may={mayManage} type="submit" loading={creating}>
          Add rule
        </Permitted>
      </Group>
    </form>
  );
}

function SampleRate({ rate }: { rate: number }) {
  const { projectId, environment } = useScope();
  const may = useMay('catch_settings_change');
  const [share, setShare] = useState(rate * 100);
  const [update, updating] = useChange(UpdateCrashSettingsDocument);
  return (
    <Group gap="xs" align="flex-end">
      <NumberInput
        label="Share of crashes that SDKs send"
        suffix=" %"
        min={0}
        max={100}
        value={share}
        onChange={(value) => setShare(Number(value))}
        w={220}
      />
      <Permitted
        may={may}
        variant="default"
        loading={updating}
        onClick={() =>
          update(
            { input: { projectId, environment, sampleRate: share / 100 } },
            'SDKs learn it with their next handshake.',
          )
        }
      >
        Save
      </Permitted>
    </Group>
  );
}
