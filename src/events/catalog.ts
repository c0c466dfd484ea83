import { type Static, type TObject, Type } from 'typebox';

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const nullableText = Type.Union([text, Type.Null()]);
const role = Type.Union([Type.Literal('viewer'), Type.Literal('editor'), Type.Literal('admin'), Type.Literal('owner')]);

const named = Type.Object({ id: text, name: text });
const configItem = Type.Object({ item_id: text, key: text, version: count });
const flag = Type.Object({ flag_id: text, key: text, version: count });
const survey = Type.Object({ survey_id: text, name: text, status: text });
const issue = Type.Object({ issue_id: text, title: text, release: nullableText });
const mergedIssue = Type.Object({ ...issue.properties, merged_issue_id: text });
const artifact = Type.Object({ artifact_id: text, kind: text, release: text, match_key: text });
const release = Type.Object({ release_id: text, version: text });
const ticket = Type.Object({ ticket_id: text, board_id: text, title: text, status: text });
const triageRule = Type.Object({ id: text, board_id: text, survey_id: text });
const entry = Type.Object({ entry_id: text, title: text });
const subscription = Type.Object({ subscription_id: text, url: text, patterns: Type.Array(text) });
const member = Type.Object({ user_id: text, role, project_id: Type.Optional(nullableText) });

const documentSet = Type.Object({ app: text, version: text, count });

const kind = <Data extends TObject>(description: string, data: Data) => ({ description, data });

/**
 * Every kind of event: `module.entity.what_happened`, its description, and the shape of its `data` on the wire (docs/events.md). An event
 * is an audit entry, a webhook source and a job trigger in one.
 */
export const EVENT_KINDS = {
  'access.organization.created': kind('An organization was created.', named),
  'access.organization.updated': kind("An organization's name changed.", named),
  'access.project.created': kind('A project was created.', named),
  'access.project.updated': kind(
    "A project's name, authorized origins or addresses, or enabled modules changed.",
    named,
  ),
  'access.key.created': kind('A project key was created.', named),
  'access.key.revoked': kind('A project key was revoked.', named),
  'access.deploy_token.created': kind('A deploy token was created.', named),
  'access.deploy_token.revoked': kind('A deploy token was revoked.', named),
  'access.api_token.created': kind('An API token was created.', Type.Object({ id: text, name: text, role })),
  'access.api_token.revoked': kind('An API token was revoked.', named),
  'access.member.added': kind('A user joined the organization.', member),
  'access.member.role_changed': kind("A member's role changed, in the organization or in one project.", member),
  'access.member.removed': kind('A user was removed from the organization.', Type.Object({ user_id: text })),
  'access.member.password_reset': kind(
    'A member was given a temporary password; their sessions in the organization ended.',
    Type.Object({ user_id: text }),
  ),
  'access.user.signed_in': kind('A user signed in to the organization.', Type.Object({ user_id: text })),
  'access.user.signed_out': kind('A user signed out.', Type.Object({ user_id: text })),
  'access.user.sign_in_failed': kind(
    'A sign-in to an account in the organization failed because of a wrong password.',
    Type.Object({ user_id: text }),
  ),
  'access.user.password_changed': kind(
    'A user changed their password for the organization; their other sessions there ended.',
    Type.Object({ user_id: text }),
  ),

  'documents.set.stored': kind('The GraphQL documents of a client version were stored.', documentSet),
  'documents.set.deleted': kind('The GraphQL documents of a client version were deleted.', documentSet),

  'quotas.plan.changed': kind("A project's plan or limits changed.", Type.Object({ plan: text })),
  'quotas.threshold.reached': kind(
    'Usage reached 80 or 95 percent of a monthly quota.',
    Type.Object({ meter: text, percent: count, current: count, limit: count, resets_at: text }),
  ),

  'config.item.created': kind('A config item was created.', configItem),
  'config.item.changed': kind("A config item's value or rules changed.", configItem),
  'config.item.rolled_back': kind(
    'A config item was rolled back to an earlier version.',
    Type.Object({ item_id: text, key: text, version: count, restored_version: count, note: nullableText }),
  ),
  'config.item.archived': kind('A config item was archived.', configItem),
  'config.item.unarchived': kind('A config item was unarchived.', configItem),

  'switch.flag.created': kind('A flag was created.', flag),
  'switch.flag.changed': kind("A flag's variants, rules or defaults changed.", flag),
  'switch.flag.halted': kind(
    'A flag was halted; decisions return its default.',
    Type.Object({
      flag_id: text,
      key: text,
      version: count,
      reason: text,
      evidence_url: nullableText,
      key_id: nullableText,
    }),
  ),
  'switch.flag.resumed': kind(
    'A halted flag was resumed.',
    Type.Object({ flag_id: text, key: text, version: count, note: nullableText }),
  ),
  'switch.flag.archived': kind('A flag was archived.', flag),
  'switch.flag.unarchived': kind('A flag was unarchived.', flag),

  'ingest.cohort.created': kind('A cohort was created.', named),
  'ingest.cohort.changed': kind("A cohort's definition changed.", named),
  'ingest.cohort.deleted': kind('A cohort was deleted.', named),
  'ingest.person.split': kind('A merge of two persons was undone.', Type.Object({ distinct_id: text })),
  'ingest.person.deleted': kind('A person and their events were deleted.', Type.Object({ person_id: text })),

  'pulse.survey.created': kind('A survey was created.', survey),
  'pulse.survey.changed': kind('A survey changed.', survey),
  'pulse.survey.published': kind('A survey was published and accepts responses.', survey),
  'pulse.survey.closed': kind('A survey was closed and no longer accepts responses.', survey),
  'pulse.survey.archived': kind('A survey was archived.', survey),
  'pulse.survey.unarchived': kind('A survey was unarchived as a draft.', survey),
  'pulse.distribution.created': kind(
    'An email distribution of a survey was created.',
    Type.Object({ id: text, survey_id: text }),
  ),
  'pulse.distribution.changed': kind(
    'An email distribution of a survey was renamed.',
    Type.Object({ id: text, survey_id: text }),
  ),
  'pulse.distribution.deleted': kind(
    'An email distribution of a survey was deleted; its responses are kept.',
    Type.Object({ id: text, survey_id: text }),
  ),
  'pulse.response.submitted': kind(
    'A survey response was accepted.',
    Type.Object({ response_id: text, survey_id: text, score: Type.Union([Type.Integer(), Type.Null()]) }),
  ),
  'pulse.respondent.deleted': kind("A respondent's answers were deleted.", Type.Object({ responses: count })),

  'catch.symbol.uploaded': kind('A symbol artifact was stored and is ready to use.', artifact),
  'catch.symbol.deleted': kind('A symbol artifact was deleted.', artifact),
  'catch.symbol_source.created': kind('A symbol source was added.', named),
  'catch.symbol_source.changed': kind('A symbol source was changed.', named),
  'catch.symbol_source.deleted': kind('A symbol source was deleted.', named),
  'catch.issue.created': kind('A new crash issue was detected.', issue),
  'catch.issue.regressed': kind('A resolved crash issue occurred again.', issue),
  'catch.issue.resolved': kind('A crash issue was marked as resolved.', issue),
  'catch.issue.reopened': kind(
    'A crash issue was reopened manually, or because the time for which it was ignored ended.',
    issue,
  ),
  'catch.issue.ignored': kind(
    'A crash issue was ignored: permanently, until a given time, or until it reaches a number of events.',
    Type.Object({ ...issue.properties, until: nullableText, until_count: Type.Union([count, Type.Null()]) }),
  ),
  'catch.issue.assigned': kind(
    'A crash issue was assigned or unassigned.',
    Type.Object({ ...issue.properties, assignee_id: nullableText }),
  ),
  'catch.issue.merged': kind('A crash issue was merged into another.', mergedIssue),
  'catch.issue.unmerged': kind('A merged crash issue was split off again.', mergedIssue),
  'catch.alert_rule.created': kind('An alert rule was created.', named),
  'catch.alert_rule.changed': kind(
    "An alert rule's name, threshold or window changed, or it was enabled or disabled.",
    named,
  ),
  'catch.alert_rule.deleted': kind('An alert rule was deleted.', named),
  'catch.alert.fired': kind(
    'An alert rule fired, or someone sent a test alert.',
    Type.Object({
      rule_id: text,
      rule_name: text,
      issue_id: nullableText,
      issue_title: nullableText,
      count,
      is_test: Type.Optional(Type.Boolean()),
    }),
  ),
  'catch.settings.changed': kind('The crash reporting settings changed.', Type.Object({ sample_rate: Type.Number() })),
  'catch.events.reprocessed': kind('Stored crash events were symbolicated again.', Type.Object({ count })),

  'deploy.release.created': kind('A release was created.', release),
  'deploy.release.changed': kind("A release's notes or commit changed.", release),
  'deploy.release.promoted': kind('A release became the current release of its environment.', release),
  'deploy.release.deleted': kind('A release was deleted; its symbols will be purged.', release),

  'plan.board.created': kind('A board was created.', named),
  'plan.board.changed': kind('A board was renamed.', named),
  'plan.board.deleted': kind('A board was deleted along with its tickets and triage rules.', named),
  'plan.triage_rule.created': kind('A triage rule was created.', triageRule),
  'plan.triage_rule.changed': kind('A triage rule changed.', triageRule),
  'plan.triage_rule.deleted': kind('A triage rule was deleted; its tickets are kept.', triageRule),
  'plan.ticket.created': kind('A ticket was created, manually or by a triage rule.', ticket),
  'plan.ticket.changed': kind("A ticket's title or description changed.", ticket),
  'plan.ticket.deleted': kind('A ticket was deleted.', ticket),
  'plan.ticket.transitioned': kind(
    'A ticket moved to another status.',
    Type.Object({ ticket_id: text, board_id: text, from: text, to: text }),
  ),

  'changelog.entry.created': kind('A changelog entry was drafted.', entry),
  'changelog.entry.changed': kind('A changelog entry was edited.', entry),
  'changelog.entry.deleted': kind('A changelog entry was deleted.', entry),
  'changelog.entry.published': kind('A changelog entry was published.', entry),

  'webhooks.subscription.created': kind('A webhook subscription was created.', subscription),
  'webhooks.subscription.changed': kind("A webhook subscription's URL or patterns changed.", subscription),
  'webhooks.subscription.deleted': kind('A webhook subscription was deleted.', subscription),
  'webhooks.subscription.disabled': kind(
    'A webhook subscription was disabled because its endpoint refused deliveries or kept failing.',
    Type.Object({ subscription_id: text, url: text, reason: text }),
  ),
  'webhooks.secret.rotated': kind(
    "A webhook subscription's signing secret was rotated.",
    Type.Object({ subscription_id: text }),
  ),
  'webhooks.subscription.tested': kind('A test delivery was requested.', Type.Object({ subscription_id: text })),
  'webhooks.delivery.replayed': kind(
    'A completed or waiting delivery was queued to be sent again.',
    Type.Object({ subscription_id: text, kind: text }),
  ),
  'webhooks.dead_letter.replayed': kind('Dead letters were queued for redelivery.', Type.Object({ count })),
} as const;

export type EventKind = keyof typeof EVENT_KINDS;
export type EventData<K extends EventKind> = Static<(typeof EVENT_KINDS)[K]['data']>;
