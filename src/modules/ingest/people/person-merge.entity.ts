import { Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';

@ObjectType({ description: 'An alias that took effect: who was united, and what it takes to undo it.' })
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

  @Property({ type: 'text' })
  aliasId!: string;

  @Property({ type: 'text' })
  distinctId!: string;

  @Property({ type: 'text' })
  personId!: string;

  @Property({ type: 'text', nullable: true })
  mergedPersonId: string | null = null;

  @Property({ type: 'string[]', columnType: 'text[]' })
  mergedIds!: string[];

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
