import { Field, ObjectType } from 'type-graphql';
import { Person } from './people/person.entity.js';

@ObjectType({ description: 'An undone merge: the kept person, and the one that has its ids back.' })
export class PersonSplit {
  @Field(() => Person)
  kept!: Person;

  @Field(() => Person)
  split!: Person;
}
