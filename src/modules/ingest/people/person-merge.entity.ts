import { Entity, Enum, Index, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { Column, IdColumn } from '../../../kernel/database/column.js';
import { TextArrayType } from '../../../kernel/database/text-array.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';

@ObjectType({
  implements: Node,
  description: 'An alias that took effect: who was merged, and what is needed to undo it.',
})
@Entity({ tableName: 'person_merge' })
@Index({ name: 'person_merge_alias_index', properties: ['projectId', 'environment', 'aliasId', 'mergedAt'] })
export class PersonMerge {
  @IdColumn('text')
  id!: string;

  @Property({ type: 'uuid' })
  projectId!: string;

  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Column('text', { description: 'The id that was made an alias.' })
  @RedactedBelowEditor()
  aliasId!: string;

  @Column('text', { description: 'The id that was kept.' })
  @RedactedBelowEditor()
  distinctId!: string;

  @Property({ type: 'text' })
  personId!: string;

  @Property({ type: 'text', nullable: true })
  mergedPersonId: string | null = null;

  @Field(() => [String], { description: 'Ids that came with the alias.' })
  @RedactedBelowEditor()
  @Property({ type: TextArrayType, columnType: 'text[]' })
  mergedIds!: string[];

  @Column('json', { description: 'Properties that the alias had before.' })
  @RedactedBelowEditor()
  mergedProperties!: Record<string, unknown>;

  @Property({ type: 'json' })
  takenProperties!: Record<string, unknown>;

  @Property({ type: 'Date' })
  mergedCreatedAt!: Date;

  @Column('Date')
  mergedAt!: Date;

  @Column('Date', { nullable: true, description: 'When splitPerson undid it.' })
  undoneAt: Date | null = null;
}
