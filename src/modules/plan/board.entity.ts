import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { DatedEntity } from '../../kernel/base-entity.js';
import { newPrefixedId } from '../../kernel/ids.js';

@ObjectType({ description: 'A board that tickets stand on.' })
@Entity({ tableName: 'board' })
@Index({ name: 'board_project_index', properties: ['projectId', 'id'] })
export class Board extends DatedEntity {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('brd');

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Property({ type: 'uuid' })
  organizationId!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;
}
