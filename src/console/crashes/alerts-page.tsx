import { Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import {
  AlertRulesDocument,
  type AlertRulesQuery,
  CrashSamplingDocument,
  DeleteAlertRuleDocument,
  TestAlertRuleDocument,
  UpdateAlertRuleDocument,
  UpdateCrashSettingsDocument,
} from '#documents';
import { isolated } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { EditDelete } from '../parts/edit-delete.js';
import { NumberField } from '../parts/fields/number-field.js';
import { Page, Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { More } from '../parts/rows/more.js';
import { NoRows } from '../parts/rows/no-rows.js';
import { WaitingRows } from '../parts/states.js';
import { Muted, PageLink } from '../parts/text.js';
import { When } from '../parts/when.js';
import { WhoMay } from '../parts/who-may.js';
import { ALERT_CONDITIONS, AlertRuleForm } from './alert-rule-form.js';
import { AlertTest } from './alert-test.js';
import { CrashTabs } from './crash-tabs.js';

type Rule = NonNullable<AlertRulesQuery['alertRules']>['nodes'][number];

/** Alert rules, which fire the event `catch.alert.fired`, and the share of crashes that SDKs send. */
export function AlertsPage() {
  const { projectId, environment } = useScope();
  const pages = usePages(AlertRulesDocument, { projectId, environment }, ({ alertRules }) => alertRules);
  const { data, error } = useDocument(CrashSamplingDocument, { projectId, environment });
  const mayManage = useMay('catch_alert_rule_manage');
  const maySample = useMay('catch_settings_change');
  const [editing, setEditing] = useState<Rule | 'new' | null>(null);
  const settings = data?.crashSettings;
  return (
    <Page title="Crashes" section="Alerts">
      <CrashTabs here="alerts" />
      <Panel
        title="Alert rules"
        aside={
          <Permitted may={mayManage} variant="default" onClick={() => setEditing('new')}>
            New rule
          </Permitted>
        }
      >
        <NoRows pages={pages} expected={2}>
          No alert rules yet. When a rule fires, webhooks that listen to <code>catch.alert.fired</code> are notified.
        </NoRows>
        {pages.rows.map((rule) => (
          <RuleRow key={rule.id} rule={rule} onEdit={() => setEditing(rule)} />
        ))}
        <More pages={pages}>Load more rules</More>
      </Panel>
      <Panel title="Sampling">
        {settings ? <SampleRate rate={settings.sampleRate} may={maySample} /> : <WaitingRows rows={1} error={error} />}
        <WhoMay may={maySample} weakest="editor" to="change the sample rate" />
      </Panel>
      {editing && <AlertRuleForm rule={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}

function RuleRow({ rule, onEdit }: { rule: Rule; onEdit: () => void }) {
  const [remove] = useChange(DeleteAlertRuleDocument, { quiet: true });
  const [test, testing] = useChange(TestAlertRuleDocument);
  const [update, updating] = useChange(UpdateAlertRuleDocument);
  const [testedAs, setTestedAs] = useState<string | null>(null);
  const tryIt = async () => setTestedAs((await test({ id })).data?.testAlertRule?.eventId ?? null);
  const { id, name, condition, threshold, windowMinutes, enabled, lastFiredAt, firings, viewerCan } = rule;
  const may = viewerCan.includes('catch_alert_rule_manage');
  const turn = (to: boolean, undo?: () => unknown) =>
    update(
      { input: { id, enabled: to } },
      to ? `${isolated(name)} enabled.` : `${isolated(name)} disabled. It won't fire until you enable it again.`,
      undo,
    );
  return (
    <div className="entry">
      <div>
        <strong>{name}</strong> {!enabled && <Badge color="gray">Disabled</Badge>}
        <Muted size="xs">
          {ALERT_CONDITIONS[condition]}
          {condition === 'event_count' ? `: ${threshold.toLocaleString('en')} in ${windowMinutes} min` : ''}; last
          fired: <When at={lastFiredAt} />
        </Muted>
        {firings.nodes.map(
          ({ issue, firedAt }) =>
            issue && (
              <Text size="xs" key={issue.id} lineClamp={2}>
                <When at={firedAt} />: <PageLink to={['crashes', issue.id]}>{issue.title}</PageLink>
              </Text>
            ),
        )}
        {testedAs && <AlertTest eventId={testedAs} />}
      </div>
      <Group gap={4}>
        <Permitted may={may} variant="subtle" size="compact-xs" loading={testing} onClick={tryIt}>
          Send test
        </Permitted>
        <Permitted
          may={may}
          variant="subtle"
          size="compact-xs"
          loading={updating}
          onClick={() => turn(!enabled, () => turn(enabled))}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Permitted>
        <EditDelete
          may={may}
          what={isolated(name)}
          goesAlong={["You'll no longer get alerts from this rule. Its firing history is deleted."]}
          remove={() => remove({ id }, `${isolated(name)} deleted.`)}
          onEdit={onEdit}
        />
      </Group>
    </div>
  );
}

function SampleRate({ rate, may }: { rate: number; may: boolean }) {
  const { projectId, environment } = useScope();
  const stored = Number((rate * 100).toPrecision(12));
  /** Null unless it differs from what is stored, which others may change meanwhile. */
  const [typed, setTyped] = useState<number | null>(null);
  if (typed === stored) setTyped(null);
  const share = typed ?? stored;
  const [update, updating] = useChange(UpdateCrashSettingsDocument);
  return (
    <Group gap="xs" align="flex-end">
      <NumberField
        label="Share of crashes that SDKs send"
        allowDecimal
        suffix="%"
        min={0}
        max={100}
        value={share}
        disabled={!may}
        onChange={setTyped}
        w={220}
      />
      <Permitted
        may={may}
        variant="default"
        loading={updating}
        onClick={() =>
          update(
            { input: { projectId, environment, sampleRate: share / 100 } },
            'Saved. SDKs pick it up at their next handshake.',
          )
        }
      >
        Save
      </Permitted>
    </Group>
  );
}
