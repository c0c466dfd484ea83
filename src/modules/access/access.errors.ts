import { defineFailures, type FailureCode } from '../../kernel/errors.js';

export const accessFailure = defineFailures(
  {
    wrong_credentials: () =>
      'E-mail and password do not belong together, or the user is no member of the organization.',
    too_many_attempts: () => 'Too many wrong passwords for this e-mail or from this address; wait a minute.',
    too_busy: () => 'Too many passwords are being checked at the moment; try again in a few seconds.',
    session_required: () => 'An API token is no session; sign in with the password and use that session.',
    weak_password: (_: { field: 'password' | 'newPassword' }) => 'A password has 12 to 200 characters.',
    wrong_password: () => 'The current password is wrong; type it again.',
    role_above_own: () => 'You cannot grant, change or take away a role above your own; ask somebody who has it.',
    operators_only: () =>
      'This is for operators of the installation (plans, limits, the suspension for billing, stored documents); ask those who run it.',
    same_password: () => 'Somebody else chose the current password; choose one that only you know.',
    own_password: () => 'Change your own password with changePassword, which asks for the current one.',
    password_change_required: () =>
      'Somebody else chose your password: choose another with changePassword, then repeat this.',
    organizations_closed: () => 'This installation makes no further organizations; ask those who run it.',
    last_owner: () => 'An organization keeps at least one owner; make someone else an owner first.',
    member_exists: () => 'This user is a member already; change the role instead.',
    member_not_found: () => 'No member of your organization has this id; list its members.',
    key_not_found: () => 'No key with this id is visible to you; list the keys of the project.',
    token_not_found: () => 'No token with this id is visible to you; list the API tokens.',
    project_not_found: () => 'No project with this id is visible to you; list the projects of your organization.',
    project_changed_meanwhile: () =>
      'Somebody else changed the project meanwhile; load it again and repeat the change.',
    organization_not_found: () => 'No organization with this id is visible to you; viewer tells yours.',
    audit_entry_not_found: () => 'No entry of the audit log with this id is visible to you; list the audit log.',
    unknown_scope: ({ scope }: { scope: string }) => `"${scope}" is no scope; use ingest, decide, survey or halt.`,
    unknown_module: ({ module }: { module: string }) => `"${module}" is no module that can be switched off.`,
    bad_origin: ({ origin }: { origin: string }) =>
      `"${origin}" is no origin; write https://app.example.com or https://*.example.com.`,
    bad_address: ({ address }: { address: string }) =>
      `"${address}" is neither an IP address nor a CIDR range; write it as 192.0.2.1 or 192.0.2.0/24.`,

    missing_api_key: () => 'Send the project key in the header x-api-key.',
    invalid_api_key: () => 'The key matches no project; it may have been revoked.',
    invalid_ticket: () =>
      'The ticket is malformed or expired, or its key was revoked; get another from POST /api/v1/stream/ticket.',
    insufficient_scope: ({ scope }: { scope: string }) => `The key lacks the scope "${scope}".`,
    unauthorized_origin: () => "The origin is not on the project's list.",
    unauthorized_address: () => "The address is not on the project's list.",
  },
  {
    wrong_password: 'currentPassword',
    member_exists: 'email',
    same_password: 'newPassword',
    unknown_scope: 'scopes',
    unknown_module: 'disabledModules',
    bad_origin: 'authorizedOrigins',
    bad_address: 'authorizedAddresses',
  },
);

export type AccessCode = FailureCode<typeof accessFailure>;
