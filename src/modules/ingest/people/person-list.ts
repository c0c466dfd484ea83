import { type FilterQuery, raw } from '@mikro-orm/postgresql';
import { IsOptional, MaxLength } from 'class-validator';
import { GraphQLJSONObject } from 'graphql-scalars';
import { ArgsType, Field } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { startingWith } from '../../../kernel/database/like-pattern.js';
import { InstantFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { LONGEST_SEARCH, listArgs } from '../../../kernel/lists/list-args.js';
import { EnvironmentType } from '../../access/environment.js';
import { Person } from './person.entity.js';

export const PEOPLE = listOf(Person, {
  owner: 'projectId',
  parts: ['environment'],
  orders: { createdAt: ['createdAt'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { createdAt: InstantFilter },
  mostCounted: 10_000,
});

@ArgsType()
export class PersonListArgs extends listArgs(PEOPLE) {
  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => String, {
    nullable: true,
    description: 'An id, or the start of the property email or name, case-insensitive. Requires Editor.',
  })
  @IsOptional()
  @MaxLength(LONGEST_SEARCH)
  override search?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Persons who have all of these properties. Requires Editor.',
  })
  properties?: Record<string, unknown> | null;
}

/** Persons of the owning project's environment that match a typed text, using an index for each of the three. */
export function namedAs(environment: Environment, text: string): FilterQuery<Person> {
  const beginning = startingWith(text.toLowerCase());
  const byProperty = (key: string) =>
    `(r.properties->>'${key}' is not null and left(lower(r.properties->>'${key}'), 400) like ?)`;
  const sql = `(r.id = any(array(
    select person_id from person_id where project_id = owner.id0 and environment = ? and distinct_id = ?))
    or ${byProperty('email')} or ${byProperty('name')})`;
  return { [raw(sql, [environment, text, beginning, beginning])]: [] };
}
