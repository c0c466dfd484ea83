import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import {
  AddMemberDocument,
  ChangeMemberRoleDocument,
  MembersDocument,
  type MembersQuery,
  RemoveMemberDocument,
  RemoveProjectRoleDocument,
  ResetMemberPasswordDocument,
  type Role,
} from '#documents';
import { useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { Confirmed } from '../parts/confirmed.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { AuditLink, Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { SearchField } from '../parts/rows/search-field.js';
import { counted } from '../parts/short-numbers.js';
import { ShownOnce } from '../parts/shown-once.js';
import { WaitingRows } from '../parts/states.js';
import { WhoMay } from '../parts/who-may.js';

type Member = NonNullable<MembersQuery['members']>['nodes'][number];

const ROLES: Role[] = ['viewer', 'editor', 'admin', 'owner'];
/** As many as the document asks for at once; with no more of them, nobody need search. */
const PAGE = 50;
const AS_THERE = 'as in the organization';

/** Who belongs to the organization, with which role there and in this project. */
export function Members() {
  const may = useMay('member_manage');
  const [search] = useSearchState();
  const pages = usePages(MembersDocument, { search: search.q ?? null }, ({ members }) => members);
  const isLong = (pages.totalCount ?? 0) > PAGE || pages.isBusy || Boolean(search.q);
  const [given, setGiven] = useState<GivenPassword>(NONE_GIVEN);
  return (
    <Panel
      title="Members of the organization"
      aside={isLong && <SearchField label="Search members" placeholder="A part of an e-mail address" />}
    >
      {!pages.isKnown && <WaitingRows rows={3} error={pages.error} />}
      {pages.isKnown && pages.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          No member has <bdi>{search.q}</bdi> in their e-mail address.
        </Text>
      )}
      <table className="plain-table">
        <thead>
          <tr>
            <th>Member</th>
            <th>Organization</th>
            <th>This project</th>
            <th>
              <span className="soft">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {pages.rows.map((member) => (
            <MemberRow key={member.id} member={member} onPassword={setGiven} />
          ))}
        </tbody>
      </table>
      <More pages={pages}>More</More>
      <WhoMay may={may} weakest="admin" to="add members and give them roles">
        <NewMember onPassword={setGiven} />
      </WhoMay>
      <ShownOnce
        title={`A password for ${given.email} to begin with`}
        secret={given.password}
        onClose={() => setGiven(NONE_GIVEN)}
      >
        {given.more}
      </ShownOnce>
    </Panel>
  );
}

/** A password that the server has made for somebody, to be handed to them. */
interface GivenPassword {
  email: string;
  password: string;
  /** What its reader must know besides. */
  more?: ReactNode;
}

const NONE_GIVEN: GivenPassword = { email: '', password: '' };

interface MemberRowProps {
  member: Member;
  onPassword: (given: GivenPassword) => void;
}

function MemberRow({ member, onPassword }: MemberRowProps) {
  const { projectId } = useScope();
  const { user, role, viewerCan, projectRoles } = member;
  const may = viewerCan.includes('member_manage');
  const [changeRole] = useChange(ChangeMemberRoleDocument);
  const [removeRole] = useChange(RemoveProjectRoleDocument);
  const [remove] = useChange(RemoveMemberDocument);
  const here = projectRoles.nodes.find((one) => one.projectId === projectId)?.role;
  const setThere = (next: Role, undo?: () => unknown) =>
    changeRole({ input: { userId: user.id, role: next } }, `${user.email} is ${next}.`, undo);
  const setHere = (next: Role | null, undo?: () => unknown) =>
    next === null
      ? removeRole({ input: { projectId, userId: user.id } }, `${user.email} is here what they are elsewhere.`, undo)
      : changeRole({ input: { projectId, userId: user.id, role: next } }, `${user.email} is ${next} here.`, undo);
  return (
    <tr>
      <td>
        {user.email} <AuditLink object={{ objectId: user.id, of: 'organization' }} />
      </td>
      <td>
        <Select
          aria-label={`Role of ${user.email}`}
          data={ROLES}
          value={role}
          disabled={!may}
          onChange={(next) => next && setThere(next as Role, () => setThere(role))}
          w={110}
        />
      </td>
      <td>
        <Select
          aria-label={`Role of ${user.email} in this project`}
          data={[AS_THERE, ...ROLES]}
          value={here ?? AS_THERE}
          disabled={!may}
          onChange={(next) => setHere(next === AS_THERE ? null : (next as Role), () => setHere(here ?? null))}
          w={170}
        />
      </td>
      <td>
        <ResetPassword member={member} onPassword={onPassword} />
        <Confirmed
          action="Remove"
          what={user.email}
          goesAlong={[
            'Their sessions and API tokens end at once, and what those tokens minted.',
            `${projectRoles.nodes.length > 0 ? `Their own roles in ${counted(projectRoles.nodes.length, 'project')} go; what` : 'What'} they changed stays in the audit log.`,
            'Added again, they begin with a new password.',
          ]}
          may={may}
          variant="subtle"
          color="red"
          size="compact-xs"
          run={() =>
            remove({ userId: user.id }, `${user.email} is no longer a member; their sessions and tokens have ended.`)
          }
        />
      </td>
    </tr>
  );
}

function ResetPassword({ member: { user, viewerCan }, onPassword }: MemberRowProps) {
  const { email } = useScope();
  const [reset] = useChange(ResetMemberPasswordDocument);
  const isOwn = user.email === email;
  const run = async () => {
    const { data } = await reset({ input: { userId: user.id } }, `${user.email} has another password.`);
    const { temporaryPassword, remainingApiTokens: tokens = 0 } = data?.resetMemberPassword ?? {};
    const more = tokens > 0 && `API tokens that go on acting for them: ${tokens.toLocaleString('en')}.`;
    if (temporaryPassword) onPassword({ email: user.email, password: temporaryPassword, more });
  };
  return (
    <Confirmed
      action="Reset password"
      what={`of ${user.email}`}
      goesAlong={[
        'They sign in with another password, which you see once and hand to them, and choose their own then.',
        'Their sessions in this organization end at once; their API tokens stay.',
      ]}
      may={viewerCan.includes('member_manage') && !isOwn}
      because={isOwn ? 'Your own is changed in the menu of your account.' : undefined}
      variant="subtle"
      size="compact-xs"
      run={run}
    />
  );
}

function NewMember({ onPassword }: { onPassword: (given: GivenPassword) => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [add, adding] = useChange(AddMemberDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data, error } = await add({ input: { email, role } }, `${email} is a member.`);
    const password = data?.addMember?.temporaryPassword;
    if (password) onPassword({ email, password });
    if (!error) setEmail((now) => (now === email ? '' : now));
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" mt="sm">
        <TextInput
          label="New member"
          type="email"
          placeholder="name@example.com"
          required
          value={email}
          onChange={(e) => setEmail(e.currentTarget.value)}
        />
        <Select
          aria-label="Role of the new member"
          data={ROLES}
          value={role}
          onChange={(next) => next && setRole(next as Role)}
          w={110}
        />
        <Button type="submit" loading={adding} renderRoot={keepsFocus}>
          Add
        </Button>
        <Text size="xs" c="dimmed">
          They get a password to begin with, and choose their own at the first sign-in.
        </Text>
      </Group>
    </form>
  );
}
