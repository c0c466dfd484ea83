import type { Role } from '../../kernel/actor.js';

/** Every permission: the action, and the minimum role for it. */
export const ACTIONS = {
  'organization.view': 'viewer',
  'organization.create': 'owner',
  'organization.update': 'owner',
  'member.view': 'viewer',
  'member.manage': 'admin',
  'project.view': 'viewer',
  'project.create': 'admin',
  'project.update': 'admin',
  'key.view': 'admin',
  'key.manage': 'admin',
  'deploy_token.manage': 'admin',
  'api_token.mint': 'viewer',
  'api_token.revoke': 'viewer',
  'api_token.manage_all': 'admin',
  'audit.view': 'editor',

  'quota.view': 'viewer',

  'config.item.view': 'viewer',
  'config.item.change': 'editor',
  'config.item.roll_back': 'editor',
  'config.item.archive': 'editor',

  'release.view': 'viewer',
  'release.manage': 'editor',

  'changelog.view': 'viewer',
  'changelog.manage': 'editor',

  'webhook.view': 'admin',
  'webhook.manage': 'admin',
  'event.view': 'viewer',
  'person.view': 'viewer',
  'person.search': 'editor',
  'person.split': 'editor',
  'person.delete': 'admin',
  'cohort.view': 'viewer',
  'cohort.change': 'editor',
  'catch.symbol.view': 'viewer',
  'catch.symbol.upload': 'editor',
  'catch.symbol.delete': 'editor',
  'catch.symbol_source.view': 'admin',
  'catch.symbol_source.manage': 'admin',
  'catch.profile.view': 'viewer',
  'catch.profile.download': 'editor',
  'catch.crash.view': 'viewer',
  'catch.crash.search': 'editor',
  'catch.crash.reprocess': 'editor',
  'catch.issue.resolve': 'editor',
  'catch.issue.triage': 'editor',
  'catch.alert_rule.view': 'viewer',
  'catch.alert_rule.manage': 'editor',
  'catch.settings.view': 'viewer',
  'catch.settings.change': 'editor',
  'switch.flag.view': 'viewer',
  'switch.flag.change': 'editor',
  'switch.flag.halt': 'editor',
  'switch.flag.resume': 'editor',
  'switch.flag.archive': 'editor',
  'pulse.survey.view': 'viewer',
  'pulse.survey.change': 'editor',
  'pulse.response.view': 'viewer',
  'pulse.response.read_email': 'editor',
  'pulse.respondent.delete': 'editor',

  'plan.board.view': 'viewer',
  'plan.board.change': 'editor',
  'plan.ticket.change': 'editor',
} as const satisfies Record<string, Role>;

export type Action = keyof typeof ACTIONS;

/** What operators of the installation may do, whatever their role. */
export const OPERATOR_ACTIONS = ['document.manage', 'quota.change'] as const;

export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

/** Actions on the organization, which a project role doesn't permit. */
const ORGANIZATION_ACTIONS: ReadonlySet<Action> = new Set([
  'organization.view',
  'organization.create',
  'organization.update',
  'member.view',
  'member.manage',
  'project.create',
  'api_token.manage_all',
]);

export const PROJECT_ACTIONS: readonly Action[] = (Object.keys(ACTIONS) as Action[]).filter(
  (action) => !ORGANIZATION_ACTIONS.has(action),
);
