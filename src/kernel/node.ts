import { type ClassType, Field, ID, InterfaceType, ObjectType } from 'type-graphql';

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

/** Creates the result type of a mutation that deletes an object; call it once per type. */
export function deletionOf(name: string): ClassType<Deletion> {
  @ObjectType(name, { implements: Deletion })
  class Deleted extends Deletion {}
  return Deleted;
}
