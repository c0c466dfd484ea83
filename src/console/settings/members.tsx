import { Button, Group, TextInput } from '@mantine/core';
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
import { organizationRefusalOf, useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { Confirmed, ConfirmedLoss } from '../parts/confirmed.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { typing } from '../parts/fields/typing.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { AuditLink, Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { NoRows } from '../parts/rows/no-rows.js';
import { SearchField } from '../parts/rows/search-field.js';
import { counted } from '../parts/short-numbers.js';
import { ShownOnce } from '../parts/shown-once.js';
import { Muted } from '../parts/text.js';
import { WhoMay } from '../parts/who-may.js';
import { isAbove, ROLES, roleChoices, rolesUpTo } from './roles.js';

type Member = NonNullable<MembersQuery['members']>['nodes'][number];

/** The page size of the query; with no more members than this, search is hidden. */
const PAGE = 50;
const AS_THERE = 'same';

/** The organization's members, with their roles there and in this project. */
export function Members() {
  const may = useMay('member_manage');
  const [search] = useSearchState();
  const pages = usePages(MembersDocument, { search: search.q ?? null }, ({ members }) => members);
  const isLong = (pages.totalCount ?? 0) > PAGE || pages.isBusy || Boolean(search.q);
  const [given, setGiven] = useState<GivenPassword>(NONE_GIVEN);
  return (
    <Panel
      title="Organization members"
      aside={isLong && <SearchField label="Search members" placeholder="Part of an email address" />}
    >
      <WhoMay may={may} weakest="admin" to="add members and give them roles" isOfOrganization>
        <NewMember onPassword={setGiven} />
      </WhoMay>
      <NoRows pages={pages}>
        No members with <bdi>{search.q}</bdi> in their email address.
      </NoRows>
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
      <More pages={pages}>Load more</More>
      <ShownOnce
        title={`Temporary password for ${given.email}`}
        secret={given.password}
        onClose={() => setGiven(NONE_GIVEN)}
      >
        {given.more}
      </ShownOnce>
    </Panel>
  );
}

/** A password that the server generated for someone, to be handed to them. */
interface GivenPassword {
  email: string;
  password: string;
  /** Anything else to tell them. */
  more?: ReactNode;
}

const NONE_GIVEN: GivenPassword = { email: '', password: '' };

interface MemberRowProps {
  member: Member;
  onPassword: (given: GivenPassword) => void;
}

/** Why the viewer may not change a member with these roles; undefined if they may. */
function refusalFor({ viewerCan }: Member, roles: readonly Role[], own: Role): string | undefined {
  if (!viewerCan.includes('member_manage')) return organizationRefusalOf(own);
  return roles.some((role) => isAbove(role, own)) ? "You can't change a role above your own. Ask an owner." : undefined;
}

/** Who else owns the projects of someone who is about to leave. */
const alsoOwned = (projects: number): string =>
  projects === 0 ? '' : ` They own ${counted(projects, 'project')}, as do the organization's owners.`;

function MemberRow({ member, onPassword }: MemberRowProps) {
  const { projectId, organizationRole: own } = useScope();
  const { user, role, projectRoles } = member;
  const refusal = refusalFor(member, [role], own);
  const may = refusal === undefined;
  const [changeRole] = useChange(ChangeMemberRoleDocument);
  const [removeRole] = useChange(RemoveProjectRoleDocument);
  const [remove] = useChange(RemoveMemberDocument, { quiet: true });
  const owned = projectRoles.nodes.filter((one) => one.role === 'owner').length;
  const here = projectRoles.nodes.find((one) => one.projectId === projectId)?.role;
  const setThere = (next: Role, undo?: () => unknown) =>
    changeRole({ input: { userId: user.id, role: next } }, `${user.email} is now ${next}.`, undo);
  const setHere = (next: Role | null, undo?: () => unknown) =>
    next === null
      ? removeRole(
          { input: { projectId, userId: user.id } },
          `${user.email} now has their organization role here.`,
          undo,
        )
      : changeRole({ input: { projectId, userId: user.id, role: next } }, `${user.email} is now ${next} here.`, undo);
  return (
    <tr>
      <td>
        {user.email} <AuditLink of={{ objectId: user.id, of: 'organization' }} />
      </td>
      <td>
        <ChoiceSelect
          aria-label={`Role of ${user.email}`}
          choices={roleChoices(ROLES.filter((one) => one === role || !isAbove(one, own)))}
          value={role}
          disabled={!may}
          onChange={(next) => setThere(next, () => setThere(role))}
          w={110}
        />
      </td>
      <td>
        <ChoiceSelect
          aria-label={`Role of ${user.email} in this project`}
          choices={{
            [AS_THERE]: 'Same as organization',
            ...roleChoices(ROLES.filter((one) => one === here || !isAbove(one, own))),
          }}
          value={here ?? AS_THERE}
          disabled={!may || isAbove(here ?? role, own)}
          onChange={(next) => setHere(next === AS_THERE ? null : next, () => setHere(here ?? null))}
          w={200}
        />
      </td>
      <td>
        <ResetPassword member={member} onPassword={onPassword} />
        <ConfirmedLoss
          action="Remove"
          what={user.email}
          goesAlong={[
            'Their sessions, their API tokens and any tokens minted with those end immediately.',
            ...(projectRoles.nodes.length > 0
              ? [`They lose their roles in ${counted(projectRoles.nodes.length, 'project')}.${alsoOwned(owned)}`]
              : []),
            'Their changes stay in the audit log.',
            'If you add them again, they get a new password.',
          ]}
          may={may}
          because={refusal}
          run={() => remove({ userId: user.id }, `${user.email} removed. Their sessions and tokens have ended.`)}
        />
      </td>
    </tr>
  );
}

function ResetPassword({ member, onPassword }: MemberRowProps) {
  const { email, organizationRole: own } = useScope();
  const { user, role, projectRoles } = member;
  const [reset] = useChange(ResetMemberPasswordDocument, { quiet: true });
  const isOwn = user.email === email;
  const refusal = refusalFor(member, [role, ...projectRoles.nodes.map((one) => one.role)], own);
  const run = async () => {
    const answered = await reset({ input: { userId: user.id } }, `Password of ${user.email} reset.`);
    const { temporaryPassword, remainingApiTokens: tokens = 0 } = answered.data?.resetMemberPassword ?? {};
    const more = tokens > 0 && `API tokens of theirs that still work: ${tokens.toLocaleString('en')}.`;
    if (temporaryPassword) onPassword({ email: user.email, password: temporaryPassword, more });
    return answered;
  };
  return (
    <Confirmed
      action="Reset password"
      what={`for ${user.email}`}
      goesAlong={[
        'You get a temporary password, shown once, to pass on to them. They choose their own when they sign in.',
        'Their sessions in this organization end immediately. Their API tokens keep working.',
      ]}
      may={refusal === undefined && !isOwn}
      because={isOwn ? 'Change your own password in the account menu.' : refusal}
      variant="subtle"
      size="compact-xs"
      run={run}
    />
  );
}

function NewMember({ onPassword }: { onPassword: (given: GivenPassword) => void }) {
  const [email, setEmail] = useState('');
  const { organizationRole: own } = useScope();
  const [role, setRole] = useState<Role>('viewer');
  const [add, adding] = useChange(AddMemberDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data, error } = await add({ input: { email, role } }, `${email} added.`);
    const password = data?.addMember?.temporaryPassword;
    if (password) onPassword({ email, password });
    if (!error) setEmail((now) => (now === email ? '' : now));
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" mb="sm">
        <TextInput
          label="New member"
          type="email"
          placeholder="name@example.com"
          required
          {...typing(email, setEmail)}
        />
        <ChoiceSelect
          aria-label="Role of the new member"
          choices={roleChoices(rolesUpTo(own))}
          value={role}
          onChange={setRole}
          w={110}
        />
        <Button type="submit" loading={adding} renderRoot={keepsFocus}>
          Add
        </Button>
        <Muted size="xs">They get a temporary password and choose their own when they first sign in.</Muted>
      </Group>
    </form>
  );
}
