import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { UuidEntity } from '../../../kernel/base-entity.js';

@ObjectType({ description: 'A token for deployment scripts. The secret itself is shown once, when it is made.' })
@Entity({ tableName: 'deploy_token' })
export class DeployToken extends UuidEntity {
  @Field(() => ID)
  @Property({ type: 'uuid', index: 'deploy_token_project_index' })
  projectId!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;

  @Property({ type: 'text', unique: 'deploy_token_hash_unique' })
  hash!: string;

  @Field(() => String, { description: 'Beginning and end of the secret, to tell tokens apart.' })
  @Property({ type: 'text' })
  hint!: string;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  lastUsedAt: Date | null = null;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  revokedAt: Date | null = null;
}
