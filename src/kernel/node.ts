import { Field, ID, InterfaceType } from 'type-graphql';

@InterfaceType({
  description: 'An object with an id of its own, which no other object of its type has.',
  autoRegisterImplementations: false,
})
export abstract class Node {
  @Field(() => ID)
  id!: string;
}
