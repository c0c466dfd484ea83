import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import { KEY_SCOPES } from './keys/key-scopes.js';

export const accessFailure = defineFailures(
  {
    wrong_credentials: () => 'The email or password is wrong, or the user is not a member of the organization.',
    too_many_attempts: () =>
      'Too many wrong passwords for this email or from this address. Wait a minute, then try again.',
    too_busy: () => 'Too many passwords are being checked right now. Try again in a few seconds.',
    session_required: () => 'This needs a session, not an API token. Sign in with your password.',
    weak_password: (_: { field: 'password' | 'newPassword' }) => 'A password must have 12 to 200 characters.',
    wrong_password: () => 'The current password is wrong. Try again.',
    role_above_own: () => 'You cannot grant, change or remove a role above your own. Ask someone who has it.',
    operators_only: () =>
      'Only operators of the installation can do this (plans, limits, billing suspension, stored documents). Ask the people who run it.',
    same_password: () => 'Someone else chose the current password. Choose one that only you know.',
    own_password: () => 'To change your own password, use changePassword, which asks for the current one.',
    password_change_required: () =>
      'Someone else chose your password. Choose your own with changePassword, then try again.',
    organizations_closed: () => 'This installation does not allow new organizations. Ask the people who run it.',
    last_owner: () => 'An organization needs at least one owner. Make someone else an owner first.',
    member_exists: () => 'This user is already a member. Change their role instead.',
    member_not_found: () => 'No member of your organization has this id. List its members.',
    key_not_found: () => 'No key with this id is visible to you. List the keys of the project.',
    token_not_found: () => 'No token with this id is visible to you. List the API tokens.',
    project_not_found: () => 'No project with this id is visible to you. List the projects of your organization.',
    project_changed_meanwhile: () =>
      'Someone else changed the project in the meantime. Reload it and repeat your change.',
    organization_not_found: () => 'No organization with this id is visible to you. Query viewer to see yours.',
    audit_entry_not_found: () => 'No audit log entry with this id is visible to you. List the audit log.',
    unknown_scope: ({ scope }: { scope: string }) => `"${scope}" is not a scope. Use ${KEY_SCOPES.join(', ')}.`,
    unknown_module: ({ module }: { module: string }) => `"${module}" is not a module that can be disabled.`,
    bad_origin: ({ origin }: { origin: string }) =>
      `"${origin}" is not an origin. Write it as https://app.example.com or https://*.example.com.`,
    bad_address: ({ address }: { address: string }) =>
      `"${address}" is neither an IP address nor a CIDR range. Write it as 192.0.2.1 or 192.0.2.0/24.`,

    missing_api_key: () => 'Send the project key in the header x-api-key.',
    invalid_api_key: () => 'The key does not match any project. It may have been revoked.',
    invalid_ticket: () =>
      'The ticket is malformed or expired, or its key was revoked. Get a new one from POST /api/v1/stream/ticket.',
    insufficient_scope: ({ scope }: { scope: string }) => `The key lacks the scope "${scope}".`,
    unauthorized_origin: () => "The origin is not on the project's allow list.",
    unauthorized_address: () => "The address is not on the project's allow list.",
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
