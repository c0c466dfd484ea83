import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType()
export class DeletedBoard {
  @Field(() => ID)
  id!: string;
}

@ObjectType()
export class DeletedTriageRule {
  @Field(() => ID)
  id!: string;
}

@ObjectType()
export class DeletedTicket {
  @Field(() => ID)
  id!: string;
}
