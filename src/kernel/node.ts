import { Field, ID, InterfaceType } from 'type-graphql';

@InterfaceType({
  description: 'An object with an id of its own, which no other object of its type has.',
  autoRegisterImplementations: false,
})
export abstract class Node {
  @Field(() => ID)
  id!: string;
}

@InterfaceType({
  description: 'That something was deleted, by the id that it had.',
  autoRegisterImplementations: false,
})
export abstract class Deletion {
  @Field(() => ID)
  id!: string;
}
