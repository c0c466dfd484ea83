import { Badge, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { CreateTokenDocument, RevokeTokenDocument, type Role, TokensDocument } from '#documents';
import { isolated } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { NumberField } from '../parts/fields/number-field.js';
import { AuditLink } from '../parts/page.js';
import { ShownOnce } from '../parts/shown-once.js';
import { capitalized, Muted } from '../parts/text.js';
import { When } from '../parts/when.js';
import { NewSecret } from './new-secret.js';
import { LastUse, Revoke } from './revoke.js';
import { roleChoices, rolesUpTo } from './roles.js';
import { SecretList } from './secret-list.js';

/** Long-lived tokens for scripts: the viewer's own and, for admins, everyone's. */
export function Tokens() {
  const pages = usePages(TokensDocument, {}, ({ apiTokens }) => apiTokens);
  const [revoke] = useChange(RevokeTokenDocument, { quiet: true });
  const [token, setToken] = useState('');
  return (
    <SecretList
      title="API tokens"
      pages={pages}
      none="No tokens yet. Scripts and the command-line tool sign in with a token."
      more="Load more tokens"
      row={({ id, name, role, projectId, expiresAt, lastUsedAt, user }) => (
        <tr key={id}>
          <td>
            <strong>{name}</strong> <AuditLink of={{ token: id, of: 'organization' }} />
            <Muted size="xs">{user?.email}</Muted>
          </td>
          <td>
            <Badge color="gray">{capitalized(role)}</Badge> {projectId ? 'one project' : 'all projects'}
          </td>
          <td>
            <LastUse at={lastUsedAt} />, expires <When at={expiresAt} />
          </td>
          <td>
            <Revoke
              what={`the token ${isolated(name)}`}
              lastUsedAt={lastUsedAt}
              refused="Scripts that use it stop working immediately. Tokens minted with it end too."
              may
              run={() => revoke({ id }, `${isolated(name)} revoked.`)}
            />
          </td>
        </tr>
      )}
    >
      <NewToken onToken={setToken} />
      <ShownOnce title="Save your token" secret={token} onClose={() => setToken('')} />
    </SecretList>
  );
}

function NewToken({ onToken }: { onToken: (token: string) => void }) {
  const { projectId, role: own, organizationRole } = useScope();
  const [wanted, setWanted] = useState<Role>('viewer');
  const [days, setDays] = useState(90);
  const [isHere, setHere] = useState(true);
  const [create, creating] = useChange(CreateTokenDocument);
  const offered = rolesUpTo(isHere ? own : organizationRole);
  const role = offered.includes(wanted) ? wanted : 'viewer';
  return (
    <NewSecret
      label="New token"
      action="Create token"
      may={useMay('api_token_mint')}
      isBusy={creating}
      make={async (name) => {
        const { data } = await create({ input: { name, role, expiresInDays: days, ...(isHere ? { projectId } : {}) } });
        return data?.createApiToken?.token;
      }}
      onSecret={onToken}
    >
      <ChoiceSelect label="Role" choices={roleChoices(offered)} value={role} onChange={setWanted} w={110} />
      <NumberField label="Days valid" min={1} max={365} value={days} onChange={setDays} w={80} />
      <Checkbox
        label="This project only"
        checked={isHere}
        onChange={(e) => setHere(e.currentTarget.checked)}
        size="xs"
        pb={8}
      />
    </NewSecret>
  );
}
