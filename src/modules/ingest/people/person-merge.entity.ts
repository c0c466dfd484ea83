import { Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
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
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Property({ type: 'uuid' })
  projectId!: string;

  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Field(() => String, { description: 'The id that was made an alias.' })
  @RedactedBelowEditor()
  @Property({ type: 'text' })
  aliasId!: string;

  @Field(() => String, { description: 'The id that was kept.' })
  @RedactedBelowEditor()
  @Property({ type: 'text' })
  distinctId!: string;

  @Property({ type: 'text' })
  personId!: string;

  @Property({ type: 'text', nullable: true })
  mergedPersonId: string | null = null;

  @Field(() => [String], { description: 'Ids that came with the alias.' })
  @RedactedBelowEditor()
  @Property({ type: TextArrayType, columnType: 'text[]' })
  mergedIds!: string[];

  @Field(() => GraphQLJSON, { description: 'Properties that the alias had before.' })
  @RedactedBelowEditor()
  @Property({ type: 'json' })
  mergedProperties!: Record<string, unknown>;

  @Property({ type: 'json' })
  takenProperties!: Record<string, unknown>;

  @Property({ type: 'Date' })
  mergedCreatedAt!: Date;

  @Field(() => Date)
  @Property({ type: 'Date' })
  mergedAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When splitPerson undid it.' })
  @Property({ type: 'Date', nullable: true })
  undoneAt: Date | null = null;
}
