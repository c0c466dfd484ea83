import { Field, ID, InterfaceType } from 'type-graphql';

@InterfaceType({
  description: 'An object with an id that is unique for its type.',
  autoRegisterImplementations: false,
})
export abstract class Node {
  @Field(() => ID)
  id!: string;
}

@InterfaceType({
  description: 'A deletion, with the id of the deleted object.',
  autoRegisterImplementations: false,
})
export abstract class Deletion {
  @Field(() => ID)
  id!: string;
}
