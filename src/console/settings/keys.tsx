import { Badge, MultiSelect } from '@mantine/core';
import { Fragment, useState } from 'react';
import {
  CreateDeployTokenDocument,
  CreateKeyDocument,
  DeployTokensDocument,
  type KeyScope,
  KeysDocument,
  type KeysQuery,
  RevokeDeployTokenDocument,
  RevokeKeyDocument,
  RevokeKeysDocument,
} from '#documents';
import { isolated } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { Confirmed } from '../parts/confirmed.js';
import { ChoosingBox } from '../parts/rows/choosing.js';
import { type Chosen, useChosen } from '../parts/rows/use-chosen.js';
import { counted } from '../parts/short-numbers.js';
import { ShownOnce } from '../parts/shown-once.js';
import { capitalized, Muted } from '../parts/text.js';
import { NewSecret } from './new-secret.js';
import { LastUse, Revoke } from './revoke.js';
import { SecretList } from './secret-list.js';

type Key = NonNullable<KeysQuery['apiKeys']>['nodes'][number];

const IS_REFUSED = 'is refused from its next request: no events, decisions or surveys.';
const SCOPES: KeyScope[] = ['ingest', 'decide', 'survey', 'halt'];

/** Project keys for apps and deploy tokens for CI; a secret is shown once, on creation. */
export function Keys() {
  const [secret, setSecret] = useState('');
  return (
    <>
      <ProjectKeys onSecret={setSecret} />
      <DeployTokens onSecret={setSecret} />
      <ShownOnce title="Save your secret" secret={secret} onClose={() => setSecret('')} />
    </>
  );
}

function ProjectKeys({ onSecret }: { onSecret: (secret: string) => void }) {
  const { projectId } = useScope();
  const may = useMay('key_manage');
  const pages = usePages(KeysDocument, { projectId }, ({ apiKeys }) => apiKeys);
  const [revoke] = useChange(RevokeKeyDocument, { quiet: true });
  const chosen = useChosen({ projectId }, pages.rows);
  return (
    <SecretList
      title="Project keys"
      pages={pages}
      none="No keys yet. Apps use a key to send events and request decisions."
      more="Load more keys"
      aside={<RevokeChosen chosen={chosen} keys={pages.rows} may={may} />}
      row={(key) => (
        <tr key={key.id}>
          <td>
            <strong>{key.name || 'unnamed'}</strong> <span className="mono soft">{key.hint}</span>
            <Muted size="xs">{key.grantedScopes.join(', ')}</Muted>
          </td>
          <td>
            <Badge color={key.environment === 'live' ? 'red' : 'gray'}>{capitalized(key.environment)}</Badge>
          </td>
          <td>
            <LastUse at={key.lastUsedAt} />
          </td>
          <td>
            <Revoke
              what={nameOf(key)}
              lastUsedAt={key.lastUsedAt}
              refused={`Every app that has it ${IS_REFUSED}`}
              instead="This can't be undone. Release your apps with a new key first."
              may={may}
              run={() => revoke({ id: key.id }, `${isolated(key.name || 'Key')} revoked.`)}
            />
          </td>
          {may && (
            <td>
              <ChoosingBox chosen={chosen} id={key.id} name={nameOf(key)} />
            </td>
          )}
        </tr>
      )}
    >
      <NewKey onSecret={onSecret} />
    </SecretList>
  );
}

const nameOf = ({ environment, name, hint }: Key): string => `the ${environment} key ${isolated(name || hint)}`;

interface RevokeChosenProps {
  /** Shows nothing while nothing is selected. */
  chosen: Chosen;
  keys: readonly Key[];
  may: boolean;
}

/** Revokes the selected keys. Keys that are refused stay selected. */
function RevokeChosen({ chosen: { ids, change }, keys, may }: RevokeChosenProps) {
  const [revoke] = useChange(RevokeKeysDocument, { quiet: true });
  if (ids.length === 0) return null;
  const run = async () => {
    const answered = await revoke({ ids: [...ids] }, `${counted(ids.length, 'key')} revoked.`);
    if (!answered.error) change(answered.refused);
    return answered;
  };
  return (
    <Confirmed
      action={`Revoke ${ids.length}`}
      what={ids.length === 1 ? 'key' : 'keys'}
      goesAlong={[
        `Every app that has one of them ${IS_REFUSED}`,
        ...keys
          .filter(({ id }) => ids.includes(id))
          .map((key) => (
            <Fragment key={key.id}>
              {nameOf(key)}: <LastUse at={key.lastUsedAt} />
            </Fragment>
          )),
        "This can't be undone. Release your apps with new keys first.",
      ]}
      may={may}
      color="red"
      size="compact-sm"
      run={run}
    />
  );
}

function DeployTokens({ onSecret }: { onSecret: (secret: string) => void }) {
  const { projectId } = useScope();
  const may = useMay('deploy_token_manage');
  const pages = usePages(DeployTokensDocument, { projectId }, ({ deployTokens }) => deployTokens);
  const [revoke] = useChange(RevokeDeployTokenDocument, { quiet: true });
  return (
    <SecretList
      title="Deploy tokens"
      pages={pages}
      none="No deploy tokens yet. CI uses a deploy token to create releases."
      more="Load more tokens"
      row={(token) => (
        <tr key={token.id}>
          <td>
            <strong>{token.name}</strong> <span className="mono soft">{token.hint}</span>
          </td>
          <td>
            <LastUse at={token.lastUsedAt} />
          </td>
          <td>
            <Revoke
              what={`the deploy token ${isolated(token.name)}`}
              lastUsedAt={token.lastUsedAt}
              refused="Uploads and releases that use it fail from their next request."
              instead="This can't be undone. Create a new token instead."
              may={may}
              run={() => revoke({ id: token.id }, `${isolated(token.name)} revoked.`)}
            />
          </td>
        </tr>
      )}
    >
      <NewDeployToken onSecret={onSecret} />
    </SecretList>
  );
}

function NewKey({ onSecret }: { onSecret: (secret: string) => void }) {
  const { projectId, environment } = useScope();
  const [scopes, setScopes] = useState<string[]>([]);
  const [create, creating] = useChange(CreateKeyDocument);
  return (
    <NewSecret
      label={`New key for ${environment}`}
      action="Create key"
      may={useMay('key_manage')}
      isBusy={creating}
      make={async (name) => {
        const { data } = await create({
          input: { projectId, environment, name, ...(scopes.length > 0 ? { scopes } : {}) },
        });
        return data?.createApiKey?.secret;
      }}
      onSecret={onSecret}
    >
      <MultiSelect
        label="Scopes"
        placeholder={scopes.length === 0 ? 'Everything apps need' : undefined}
        data={SCOPES}
        value={scopes}
        onChange={setScopes}
        w={240}
      />
    </NewSecret>
  );
}

function NewDeployToken({ onSecret }: { onSecret: (secret: string) => void }) {
  const { projectId } = useScope();
  const [create, creating] = useChange(CreateDeployTokenDocument);
  return (
    <NewSecret
      label="New deploy token"
      action="Create token"
      may={useMay('deploy_token_manage')}
      isBusy={creating}
      make={async (name) => (await create({ input: { projectId, name } })).data?.createDeployToken?.secret}
      onSecret={onSecret}
    />
  );
}
