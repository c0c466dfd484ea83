import { Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, IdColumn } from '../../../kernel/database/column.js';
import { SqlIndex } from '../../../kernel/database/indexes.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import { GraphNode } from '../../access/graph/node.js';
import { EnvironmentEntity } from '../../access/projects/project-entities.js';

@GraphNode<Person>({ view: 'person.view', actions: ['person.split', 'person.delete'] })
@ObjectType({ implements: Node, description: 'A person known by one or more ids, with merged properties.' })
@Entity({ tableName: 'person' })
@Index({ name: 'person_project_index', properties: ['projectId', 'environment', 'createdAt', 'id'] })
@SqlIndex('person_properties_index', '"person" using gin ("properties" jsonb_path_ops)')
@SqlIndex(
  'person_email_index',
  `"person" ("project_id", "environment", left(lower(properties->>'email'), 400) text_pattern_ops) where properties->>'email' is not null`,
)
@SqlIndex(
  'person_name_index',
  `"person" ("project_id", "environment", left(lower(properties->>'name'), 400) text_pattern_ops) where properties->>'name' is not null`,
)
export class Person extends EnvironmentEntity {
  @IdColumn('text')
  id!: string;

  @Column('json')
  @RedactedBelowEditor()
  properties!: Record<string, unknown>;

  /** Bytes of the properties' JSON text. */
  @Property({ type: 'integer', generated: '(octet_length((properties)::text)) stored', lazy: true })
  propertiesBytes?: number;

  @Column('Date')
  updatedAt!: Date;
}
