import { Field, ObjectType } from 'type-graphql';
import { Person } from './people/person.entity.js';

@ObjectType({ description: 'A merge undone: the person that stayed, and the one that has its ids back.' })
export class PersonSplit {
  @Field(() => Person)
  kept!: Person;

  @Field(() => Person)
  split!: Person;
}
