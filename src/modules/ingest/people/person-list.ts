import { GraphQLJSONObject } from 'graphql-scalars';
import { ArgsType, Field } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { InstantFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { EnvironmentType } from '../../access/keys/project-key.entity.js';
import { Person } from './person.entity.js';

export const PEOPLE = listOf(Person, {
  owner: 'projectId',
  orders: { createdAt: ['createdAt'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { createdAt: InstantFilter },
  mostCounted: 10_000,
});

@ArgsType()
export class PersonListArgs extends listArgs(PEOPLE) {
  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Persons who have all of these properties; for Editors.',
  })
  properties?: Record<string, unknown> | null;
}
