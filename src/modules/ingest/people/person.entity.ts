import { Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { DatedEntity } from '../../../kernel/database/base-entity.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Project } from '../../access/projects/project.entity.js';

@GraphNode<Person>({ view: 'person.view', actions: ['person.split', 'person.delete'] })
@ObjectType({ implements: Node, description: 'A person known by one or more ids, with merged properties.' })
@Entity({ tableName: 'person' })
@Index({ name: 'person_project_index', properties: ['projectId', 'environment', 'createdAt', 'id'] })
@Index({
  name: 'person_properties_index',
  expression: 'create index "person_properties_index" on "person" using gin ("properties" jsonb_path_ops)',
})
@Index({
  name: 'person_email_index',
  expression: `create index "person_email_index" on "person" ("project_id", "environment", left(lower(properties->>'email'), 400) text_pattern_ops) where properties->>'email' is not null`,
})
@Index({
  name: 'person_name_index',
  expression: `create index "person_name_index" on "person" ("project_id", "environment", left(lower(properties->>'name'), 400) text_pattern_ops) where properties->>'name' is not null`,
})
export class Person extends DatedEntity {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Field(() => GraphQLJSON)
  @RedactedBelowEditor()
  @Property({ type: 'json' })
  properties!: Record<string, unknown>;

  /** Bytes of the properties' JSON text. */
  @Property({ type: 'integer', generated: '(octet_length((properties)::text)) stored', lazy: true })
  propertiesBytes?: number;

  @Field(() => Date)
  @Property({ type: 'Date' })
  updatedAt!: Date;
}
