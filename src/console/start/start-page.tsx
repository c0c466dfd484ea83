import { Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CreateFirstKeyDocument, type Environment, EventIngestedDocument, FirstStepsDocument } from '#documents';
import { useMay, useScope } from '../data/scope.js';
import { useStream } from '../data/stream.js';
import { useChange, useDocument } from '../data/use-document.js';
import { typing } from '../parts/fields/typing.js';
import { Page, Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { counted } from '../parts/short-numbers.js';
import { Snippet } from '../parts/snippet.js';
import { PageLink } from '../parts/text.js';
import { When } from '../parts/when.js';

const KEY_PLACE = 'YOUR_PROJECT_KEY';

/** The steps from nothing to the first event: a snippet with your key, and a check mark once the event arrives. */
export function StartPage() {
  const scope = useScope();
  const { projectId, environment } = scope;
  const { data, refetch } = useDocument(FirstStepsDocument, { projectId, environment });
  const [secret, setSecret] = useState('');
  const received = data?.events?.nodes[0];
  const ask = () => refetch({ requestPolicy: 'network-only' });
  const isAwaited = data !== undefined && !received;
  useStream(EventIngestedDocument, isAwaited ? { projectId, environment } : null, { onData: ask, onOpen: ask });
  const flag = data?.flags?.nodes[0];
  return (
    <Page title="Start">
      <Panel
        title="1. Get a key for your app"
        aside={secret && !faultOf(secret, environment) ? <Done>Ready</Done> : null}
      >
        <KeyStep secret={secret} setSecret={setSecret} />
      </Panel>
      <Panel
        title="2. Send your first event"
        aside={received ? <Done>Received</Done> : <Badge color="gray">Waiting</Badge>}
      >
        <Stack gap="sm">
          <Snippet text={snippetOf(window.location.origin, secret || KEY_PLACE)} />
          <Text size="sm" role="status" c={received ? undefined : 'dimmed'}>
            {received ? (
              <>
                <code>{received.eventName}</code> from <bdi>{received.distinctId}</bdi>,{' '}
                <When at={received.receivedAt} />
              </>
            ) : (
              'This step completes as soon as your event is stored.'
            )}
          </Text>
        </Stack>
      </Panel>
      <Panel
        title="3. Control your app with a flag"
        aside={flag ? <Done>{counted(data?.flags?.totalCount ?? 1, 'flag')}</Done> : null}
      >
        <Text size="sm">
          {flag ? (
            <>
              Open <PageLink to={['flags', flag.key]}>{flag.key}</PageLink>, try it as a person, and find the Halt
              button, which takes effect in every client immediately.
            </>
          ) : (
            <>
              Create a <PageLink to={['flags']}>flag</PageLink> to turn part of your product on for everyone or for some
              people.
            </>
          )}
        </Text>
      </Panel>
    </Page>
  );
}

function Done({ children }: { children: string }) {
  return <Badge color="teal">✓ {children}</Badge>;
}

function KeyStep({ secret, setSecret }: { secret: string; setSecret: (secret: string) => void }) {
  const { projectId, environment } = useScope();
  const mayMake = useMay('key_manage');
  const [create, creating] = useChange(CreateFirstKeyDocument);
  const make = async () => {
    const { data } = await create({ input: { projectId, environment, name: 'First steps' } });
    if (data?.createApiKey) setSecret(data.createApiKey.secret);
  };
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label={`Project key for ${environment}`}
        description="Shown once, when created. You can ship keys in apps: they send data and request decisions, but can't read other people's data."
        placeholder="Paste a key, or create one"
        {...typing(secret, (text) => setSecret(text.trim()))}
        error={faultOf(secret, environment)}
        flex={1}
        miw={220}
      />
      <Permitted may={mayMake} onClick={make} loading={creating}>
        Create key
      </Permitted>
    </Group>
  );
}

/** Why events sent with this key would not arrive here; null if they would or there is no key. */
function faultOf(key: string, environment: Environment): string | null {
  if (key === '') return null;
  if (key.startsWith('sk_deploy_')) return "A deploy token can't send events. Create a project key.";
  const [, its] = /^sk_(live|test)_./.exec(key) ?? [];
  if (!its) return "This isn't a project key. Project keys start with sk_live_ or sk_test_.";
  if (its === environment) return null;
  return `This key is for ${its}, so its events arrive there. Switch to ${its} above.`;
}

const snippetOf = (origin: string, key: string): string =>
  `curl -s -H 'x-api-key: ${key}' -H 'Content-Type: application/json' \\
  -d '{"event_name":"first_steps","distinct_id":"me"}' \\
  ${origin}/api/v1/track`;
