import { Field, ObjectType, Resolver } from 'type-graphql';
import type { StoredEvent } from '../../../events/stored-event.entity.js';
import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import type { Action } from '../actions.js';
import { EnvironmentType } from '../environment.js';
import { ChangeFields, changeOf, EventSubscription } from '../graph/event-subscription.js';
import { mayIn } from '../guard.js';
import { ProjectInput } from '../ids.inputs.js';

/** The permission for listening to kinds with this prefix; all others need permission to read the audit log. */
const HEARD_WITH: readonly (readonly [beginning: string, action: Action])[] = [
  ['config.', 'config.item.view'],
  ['switch.', 'switch.flag.view'],
  ['pulse.response.', 'pulse.response.view'],
  ['pulse.', 'pulse.survey.view'],
  ['catch.symbol.', 'catch.symbol.view'],
  ['catch.symbol_source.', 'catch.symbol_source.view'],
  ['catch.alert', 'catch.alert_rule.view'],
  ['catch.settings.', 'catch.settings.view'],
  ['catch.', 'catch.crash.view'],
  ['deploy.', 'release.view'],
  ['changelog.', 'changelog.view'],
  ['plan.', 'plan.board.view'],
  ['webhooks.', 'webhook.view'],
  ['ingest.cohort.', 'cohort.view'],
  ['ingest.person.', 'person.view'],
  ['quotas.', 'quota.view'],
  ['access.project.', 'project.view'],
  ['access.key.', 'key.view'],
];

const actionToHear = (kind: string): Action =>
  HEARD_WITH.find(([beginning]) => kind.startsWith(beginning))?.[1] ?? 'audit.view';

@ObjectType({ description: 'Something in a project changed.' })
export class ProjectChange extends ChangeFields {
  @Field(() => EnvironmentType, { nullable: true, description: 'Null for objects shared by both.' })
  environment!: Environment | null;
}

/** One stream for a page that shows many kinds of objects; the page refetches what it shows. */
@Resolver()
export class ProjectChangedResolver {
  @EventSubscription(() => ProjectChange, {
    kinds: /./,
    action: 'project.view',
    ofOrganization: /^access\.(?:member\.role_changed|organization\.updated)$/,
    description:
      "Anything in the project changed, or a member's role in the organization, or its name; null for changes you may not see.",
    args: ProjectInput,
  })
  async projectChanged(event: StoredEvent, ctx: Context): Promise<ProjectChange | null> {
    const maySee = await mayIn(ctx, actionToHear(event.kind), event.projectId);
    return maySee ? { ...changeOf(event), environment: event.environment } : null;
  }
}
