import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { Project } from '../../access/projects/project.entity.js';

/** One row of the table `event`, which is only read and written in SQL. */
@ObjectType({
  implements: Node,
  description: 'Something that happened.',
})
export class AnalyticsEvent {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  environment!: Environment;

  @Field(() => String)
  @RedactedBelowEditor()
  eventName!: string;

  @Field(() => String)
  @RedactedBelowEditor()
  distinctId!: string;

  @Field(() => Date, { description: 'When it happened, according to the client.' })
  occurredAt!: Date;

  @Field(() => Date, { description: 'When it was received.' })
  receivedAt!: Date;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'Null if they exceed 4 MiB of JSON, or 256 KiB in a subscription.',
  })
  @RedactedBelowEditor()
  properties!: unknown;
}
