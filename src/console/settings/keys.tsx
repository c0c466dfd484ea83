import { Badge, Group, MultiSelect, Text, TextInput } from '@mantine/core';
import { type FormEvent, Fragment, useState } from 'react';
import {
  CreateDeployTokenDocument,
  CreateKeyDocument,
  type KeyScope,
  KeysDocument,
  RevokeDeployTokenDocument,
  RevokeKeyDocument,
} from '#documents';
import { useMay, useScope } from '../app/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Confirmed } from '../parts/confirmed.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { ShownOnce } from '../parts/shown-once.js';
import { When } from '../parts/when.js';

const SCOPES: KeyScope[] = ['ingest', 'decide', 'survey', 'halt'];

/** Keys of apps and tokens of deployments; a secret is told once, when it is made. */
export function Keys() {
  const { projectId } = useScope();
  const may = useMay('key_manage');
  const mayTokens = useMay('deploy_token_manage');
  const { data } = useDocument(KeysDocument, { projectId });
  const [secret, setSecret] = useState('');
  const [revoke] = useChange(RevokeKeyDocument);
  const [revokeToken] = useChange(RevokeDeployTokenDocument);
  return (
    <>
      <Panel title="Project keys">
        <table className="plain-table">
          <tbody>
            {data?.apiKeys?.nodes.map((key) => (
              <tr key={key.id}>
                <td>
                  <strong>{key.name || 'no name'}</strong> <span className="mono soft">{key.hint}</span>
                  <Text size="xs" c="dimmed">
                    {key.grantedScopes.join(', ')}
                  </Text>
                </td>
                <td>
                  <Badge color={key.environment === 'live' ? 'red' : 'gray'}>{key.environment}</Badge>
                </td>
                <td>
                  used <When at={key.lastUsedAt} />
                </td>
                <td>
                  <Confirmed
                    action="Revoke"
                    what={`the ${key.environment} key ${key.name || key.hint}`}
                    goesAlong={[
                      'Every app that has it is refused from the next request on: no events, no decisions, no surveys.',
                      <Fragment key="used">
                        Last used: <When at={key.lastUsedAt} />
                      </Fragment>,
                      'It cannot be brought back; make another one and release the apps with it first.',
                    ]}
                    may={may}
                    variant="subtle"
                    color="red"
                    size="compact-xs"
                    run={() => revoke({ id: key.id }, `${key.name || 'The key'} is revoked.`)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <NewKey onSecret={setSecret} />
      </Panel>
      <Panel title="Deploy tokens">
        <table className="plain-table">
          <tbody>
            {data?.deployTokens?.nodes.map((token) => (
              <tr key={token.id}>
                <td>
                  <strong>{token.name}</strong> <span className="mono soft">{token.hint}</span>
                </td>
                <td>
                  used <When at={token.lastUsedAt} />
                </td>
                <td>
                  <Confirmed
                    action="Revoke"
                    what={`the deploy token ${token.name}`}
                    goesAlong={[
                      'Uploads and releases that use it fail from the next request on.',
                      <Fragment key="used">
                        Last used: <When at={token.lastUsedAt} />
                      </Fragment>,
                      'It cannot be brought back; make another one.',
                    ]}
                    may={mayTokens}
                    variant="subtle"
                    color="red"
                    size="compact-xs"
                    run={() => revokeToken({ id: token.id }, `${token.name} is revoked.`)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <NewDeployToken onSecret={setSecret} />
      </Panel>
      <ShownOnce title="The secret" secret={secret} onClose={() => setSecret('')} />
    </>
  );
}

function NewKey({ onSecret }: { onSecret: (secret: string) => void }) {
  const { projectId, environment } = useScope();
  const may = useMay('key_manage');
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>([]);
  const [create, creating] = useChange(CreateKeyDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({
      input: { projectId, environment, name, ...(scopes.length > 0 ? { scopes } : {}) },
    });
    if (data?.createApiKey) onSecret(data.createApiKey.secret);
    setName('');
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" mt="sm">
        <TextInput
          label={`New key for ${environment}`}
          placeholder="Name"
          required
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <MultiSelect
          label="Scopes"
          placeholder={scopes.length === 0 ? 'all that apps need' : undefined}
          data={SCOPES}
          value={scopes}
          onChange={setScopes}
          w={240}
        />
        <Permitted may={may} type="submit" loading={creating}>
          Make key
        </Permitted>
      </Group>
    </form>
  );
}

function NewDeployToken({ onSecret }: { onSecret: (secret: string) => void }) {
  const { projectId } = useScope();
  const may = useMay('deploy_token_manage');
  const [name, setName] = useState('');
  const [create, creating] = useChange(CreateDeployTokenDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ input: { projectId, name } });
    if (data?.createDeployToken) onSecret(data.createDeployToken.secret);
    setName('');
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" mt="sm">
        <TextInput
          label="New deploy token"
          placeholder="Name"
          required
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <Permitted may={may} type="submit" loading={creating}>
          Make token
        </Permitted>
      </Group>
    </form>
  );
}
