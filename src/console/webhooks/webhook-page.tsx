import { Alert, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  DeleteHookDocument,
  HookDocument,
  type HookRowFragment,
  RotateHookSecretDocument,
  TestHookDocument,
  UpdateHookDocument,
} from '#documents';
import { useIsHere, useParam } from '../data/scope.js';
import { useDeletion } from '../data/use-deletion.js';
import { useChange, useDocument } from '../data/use-document.js';
import { SaveBar } from '../editor/save-bar.js';
import { useDraft } from '../editor/use-draft.js';
import { Confirmed } from '../parts/confirmed.js';
import { typing } from '../parts/fields/typing.js';
import { Page, Panel } from '../parts/page.js';
import { PageTabs, useSavedFirst } from '../parts/page-tabs.js';
import { Permitted } from '../parts/permitted.js';
import { ShownOnce } from '../parts/shown-once.js';
import { Absent, Missing } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { When } from '../parts/when.js';
import { PatternInput } from './create-hook.js';
import { DeadLetters } from './dead-letters.js';
import { Deliveries } from './deliveries.js';
import { HookState } from './webhooks-page.js';

/** A webhook: deliveries, dead letters and settings. */
export function WebhookPage() {
  const { data, error, fetching } = useDocument(HookDocument, { id: useParam('subscriptionId') });
  const hook = data?.webhookSubscription;
  const isHere = useIsHere(hook);
  if (hook && !isHere) return <Missing what="webhook" />;
  if (!hook) return <Absent what="webhook" error={error} isAsked={fetching} />;
  return <LoadedHook hook={hook} />;
}

function LoadedHook({ hook }: { hook: HookRowFragment }) {
  const [secret, setSecret] = useState('');
  return (
    <Page
      title={new URL(hook.url).host}
      above={{ name: 'Webhooks', path: 'webhooks' }}
      audited={{ objectType: 'webhook_subscription', objectId: hook.id }}
      beside={<HookState hook={hook} />}
      actions={<Actions hook={hook} onSecret={setSecret} />}
    >
      <Muted mb="md">
        <span className="mono">{hook.url}</span> <bdi>{hook.description}</bdi>
      </Muted>
      {hook.failingSince && (
        <Alert color="red" mb="md">
          Deliveries are failing. The first one failed <When at={hook.failingSince} />.
        </Alert>
      )}
      <PageTabs
        tabs={[
          { value: 'deliveries', name: 'Deliveries', content: <Deliveries subscriptionId={hook.id} /> },
          { value: 'dead', name: 'Dead letters', content: <DeadLetters subscriptionId={hook.id} /> },
          { value: 'settings', name: 'Settings', content: <Settings hook={hook} /> },
        ]}
      />
      <ShownOnce title="Save your new secret" secret={secret} onClose={() => setSecret('')}>
        The old secret keeps signing alongside it and expires <When at={hook.previousSecretUntil} />.
      </ShownOnce>
    </Page>
  );
}

function Actions({ hook, onSecret }: { hook: HookRowFragment; onSecret: (secret: string) => void }) {
  const { id, enabled } = hook;
  const may = hook.viewerCan.includes('webhook_manage');
  const maySend = useSavedFirst(may);
  const [test, testing] = useChange(TestHookDocument);
  const [update, updating] = useChange(UpdateHookDocument);
  const [rotate, rotating] = useChange(RotateHookSecretDocument, { quiet: true });
  const remove = useDeletion(DeleteHookDocument, 'webhooks');
  const turn = (to: boolean, undo?: () => unknown) =>
    update(
      { input: { id, enabled: to } },
      to ? 'Webhook enabled.' : 'Webhook disabled. Nothing is delivered until you enable it again.',
      undo,
    );
  const renew = async () => {
    const answered = await rotate({ id });
    if (answered.data?.rotateWebhookSecret) onSecret(answered.data.rotateWebhookSecret.secret);
    return answered;
  };
  return (
    <>
      <Permitted {...maySend} loading={testing} onClick={() => test({ id }, 'Test event sent.')}>
        Send test
      </Permitted>
      <Permitted
        {...(enabled ? { may } : maySend)}
        variant="default"
        loading={updating}
        onClick={() => turn(!enabled, () => turn(enabled))}
      >
        {enabled ? 'Disable' : 'Enable'}
      </Permitted>
      <Confirmed
        may={may}
        variant="default"
        loading={rotating}
        action="Rotate secret"
        what={`for ${hook.url}`}
        goesAlong={[
          'Deliveries are signed with both secrets for 24 hours. Update the receiver within that time.',
          ...(hook.previousSecretUntil && Date.parse(hook.previousSecretUntil) > Date.now()
            ? ['The secret before the last rotation stops at once: a receiver that still uses it rejects deliveries.']
            : []),
        ]}
        run={renew}
      />
      <Confirmed
        may={may}
        variant="light"
        color="red"
        action="Delete"
        what={hook.url}
        goesAlong={[
          'This permanently deletes its pending deliveries and dead letters. To pause deliveries, disable it instead.',
        ]}
        run={() => remove({ id }, 'Webhook deleted.')}
      />
    </>
  );
}

function Settings({ hook }: { hook: HookRowFragment }) {
  const [update] = useChange(UpdateHookDocument, { quiet: true });
  const { url, description, patterns } = hook;
  const draft = useDraft({
    stored: { url, description, patterns },
    version: Date.parse(hook.updatedAt),
    input: (value) => value,
    save: (changed, expected) =>
      update({ input: { id: hook.id, ...changed, expectedUpdatedAt: new Date(expected).toISOString() } }),
  });
  const disabled = !hook.viewerCan.includes('webhook_manage');
  const { value, change } = draft;
  return (
    <>
      <Panel title="Settings">
        <Stack gap="sm">
          <TextInput label="URL" {...typing(value.url, (url) => change({ url }))} disabled={disabled} />
          <PatternInput value={value.patterns} disabled={disabled} onChange={(next) => change({ patterns: next })} />
          <TextInput
            label="Description"
            {...typing(value.description, (description) => change({ description }))}
            disabled={disabled}
          />
        </Stack>
      </Panel>
      <SaveBar draft={draft} takesNote={false} />
    </>
  );
}
