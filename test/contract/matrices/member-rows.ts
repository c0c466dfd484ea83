import { byInput } from './matrix-arguments.js';
import type { GraphqlRow } from './matrix-row.js';

/** Root fields that change the members of an organization. */
export const MEMBER_ROWS: Readonly<Record<string, GraphqlRow>> = {
  addMember: {
    least: 'admin',
    args: byInput(async (make) => ({ email: make.email(), role: 'viewer' })),
    concernsOwnOrganization: true,
    ofOrganization: true,
  },
  resetMemberPassword: {
    least: 'admin',
    args: byInput(async (make) => ({ userId: await make.member() })),
    ofOrganization: true,
  },
  changeMemberRole: {
    least: 'admin',
    args: byInput(async (make) => ({ userId: await make.member(), role: 'editor' })),
    ofOrganization: true,
  },
  removeProjectRole: {
    least: 'admin',
    args: byInput(async (make) => ({ userId: await make.member(), projectId: make.projectId })),
    ofOrganization: true,
  },
  removeMember: {
    least: 'admin',
    args: byInput(async (make) => ({ userId: await make.member() })),
    ofOrganization: true,
  },
};
