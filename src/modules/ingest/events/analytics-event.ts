import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { Project } from '../../access/projects/project.entity.js';

/** One row of the table `event`, which only SQL reads and writes. */
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

  @Field(() => Date, { description: 'When the client says it happened.' })
  occurredAt!: Date;

  @Field(() => Date, { description: 'When it was received.' })
  receivedAt!: Date;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'Null where they are more than 4 MiB of JSON, and in a subscription more than 256 KiB.',
  })
  @RedactedBelowEditor()
  properties!: unknown;
}
