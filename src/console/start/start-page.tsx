import { Anchor, Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CreateFirstKeyDocument, type Environment, EventIngestedDocument, FirstStepsDocument } from '#documents';
import { scopePath, useMay, useScope } from '../data/scope.js';
import { useStream } from '../data/stream.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Page, Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { counted } from '../parts/short-numbers.js';
import { Snippet } from '../parts/snippet.js';
import { When } from '../parts/when.js';

const KEY_PLACE = 'YOUR_PROJECT_KEY';

/** The way from nothing to the first event, with the snippet for the key at hand and a tick once the event is there. */
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
      <Panel title="1. A key for your app" aside={secret && !faultOf(secret, environment) ? <Done>Ready</Done> : null}>
        <KeyStep secret={secret} setSecret={setSecret} />
      </Panel>
      <Panel
        title="2. Send your first event"
        aside={received ? <Done>Received</Done> : <Badge color="gray">Waiting for it</Badge>}
      >
        <Stack gap="sm">
          <Snippet text={snippetOf(window.location.origin, secret || KEY_PLACE)} />
          <Text size="sm" role="status" c={received ? undefined : 'dimmed'}>
            {received ? (
              <>
                <code>{received.eventName}</code> of <bdi>{received.distinctId}</bdi>, <When at={received.receivedAt} />
              </>
            ) : (
              'This step is ticked as soon as the event is stored.'
            )}
          </Text>
        </Stack>
      </Panel>
      <Panel
        title="3. Decide something from here"
        aside={flag ? <Done>{counted(data?.flags?.totalCount ?? 1, 'flag')}</Done> : null}
      >
        <Text size="sm">
          {flag ? (
            <>
              Open{' '}
              <Anchor component={Link} to={scopePath(scope, 'flags', flag.key)} inherit>
                {flag.key}
              </Anchor>
              , try it as a person, and find the halt button: it takes effect in every client at once.
            </>
          ) : (
            <>
              Make a{' '}
              <Anchor component={Link} to={scopePath(scope, 'flags')} inherit>
                flag
              </Anchor>
              : a switch for a part of your product, for everybody or for some.
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
        description="Shown once when it is made. Keys may stand in apps: they send and ask, they read nothing of others."
        placeholder="Paste one, or make one"
        value={secret}
        error={faultOf(secret, environment)}
        onChange={(e) => setSecret(e.currentTarget.value.trim())}
        flex={1}
        miw={220}
      />
      <Permitted may={mayMake} onClick={make} loading={creating}>
        Make a key
      </Permitted>
    </Group>
  );
}

/** Why events sent with it would not arrive here; null when they would, and for none. */
function faultOf(key: string, environment: Environment): string | null {
  if (key === '') return null;
  if (key.startsWith('sk_deploy_')) return 'A deploy token sends no events. Make a project key.';
  const [, its] = /^sk_(live|test)_./.exec(key) ?? [];
  if (!its) return 'That is no project key: they begin with sk_live_ or sk_test_.';
  if (its === environment) return null;
  return `This key is for ${its}: its events arrive there, and the tick with them. Switch to ${its} above.`;
}

const snippetOf = (origin: string, key: string): string =>
  `curl -s -H 'x-api-key: ${key}' -H 'Content-Type: application/json' \\
  -d '{"event_name":"first_steps","distinct_id":"me"}' \\
  ${origin}/api/v1/track`;
