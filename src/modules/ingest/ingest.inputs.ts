import { IsOptional, MaxLength, ValidateNested } from 'class-validator';
import { ArgsType, Extensions, Field, ID, InputType, registerEnumType } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { OneOf } from '../../kernel/values/one-of.js';
import { EnvironmentType } from '../access/environment.js';
import { AudienceRuleInput } from './audience/audience.types.js';
import { CohortListArgs } from './cohorts/cohort-list.js';
import { EventListArgs } from './events/event-list.js';
import { INTERVALS, type Interval } from './hours/count-intervals.js';
import { PersonListArgs } from './people/person-list.js';
import { WarningListArgs } from './warnings/warning-list.js';

const IntervalType = Object.fromEntries(INTERVALS.map((interval) => [interval, interval])) as { [I in Interval]: I };
registerEnumType(IntervalType, { name: 'Interval', description: 'In UTC; weeks begin on Monday.' });

const MAX_TEXT = 10_000;
const MAX_COHORT_IDS = 100_000;

@ArgsType()
export class EventsArgs extends EventListArgs {
  @Field(() => ID)
  projectId!: string;
}

/** A time range, and the intervals for counting within it. */
@ArgsType()
class CountedTimesArgs {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => Date, { description: 'By the time the events happened, inclusive.' })
  from!: Date;

  @Field(() => Date, { description: 'Excluded.' })
  to!: Date;

  @Field(() => IntervalType, { defaultValue: 'day' })
  interval!: Interval;
}

@ArgsType()
export class EventCountsArgs extends CountedTimesArgs {
  @Field(() => String, { nullable: true, description: 'Defaults to all events.' })
  eventName?: string | null;
}

@ArgsType()
export class EventBreakdownArgs extends CountedTimesArgs {
  @Field(() => String)
  @MaxLength(MAX_TEXT)
  eventName!: string;

  @Field(() => String, { description: 'Name of a property.' })
  @MaxLength(MAX_TEXT)
  property!: string;
}

@ArgsType()
export class PeopleArgs extends PersonListArgs {
  @Field(() => ID)
  projectId!: string;
}

@ArgsType()
export class PersonArgs {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => String)
  distinctId!: string;
}

@ArgsType()
export class CohortsArgs extends CohortListArgs {
  @Field(() => ID)
  projectId!: string;
}

@ArgsType()
export class IngestionWarningsArgs extends WarningListArgs {
  @Field(() => ID)
  projectId!: string;
}

@InputType({ description: 'One of the ids of a person.' })
export class PersonInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => String)
  distinctId!: string;
}

@OneOf()
@InputType({ description: 'Exactly one of these.' })
class CohortMembersInput {
  @Field(() => [String], { nullable: true, description: 'The persons with these ids.' })
  @Extensions({ mostEntries: MAX_COHORT_IDS })
  distinctIds?: string[] | null;

  @Field(() => [AudienceRuleInput], {
    nullable: true,
    description: 'Persons covered by at least one rule; at least one rule is required. They cannot refer to cohorts.',
  })
  rules?: AudienceRuleInput[] | null;

  @Field(() => String, { nullable: true, description: 'props.<key> = "value", AND(…), OR(…).' })
  @IsOptional()
  @MaxLength(MAX_TEXT)
  predicate?: string | null;
}

@InputType()
class CohortFields {
  @Field(() => CohortMembersInput, {
    nullable: true,
    description:
      'The complete new definition, instead of `predicate`, `distinctIds` and `rules`. It combines ids and rules.',
  })
  @IsOptional()
  @ValidateNested()
  members?: CohortMembersInput | null;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_TEXT)
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'props.<key> = "value", AND(…), OR(…).' })
  @MaxLength(MAX_TEXT)
  predicate?: string | null;

  @Field(() => [String], { nullable: true, description: 'Ids instead of a predicate.' })
  @Extensions({ mostEntries: MAX_COHORT_IDS })
  distinctIds?: string[] | null;

  @Field(() => [AudienceRuleInput], {
    nullable: true,
    description:
      'Instead of a predicate, or in addition to ids: persons covered by one of them are in it. They cannot refer to cohorts.',
  })
  rules?: AudienceRuleInput[] | null;
}

@InputType()
export class CreateCohortInput extends CohortFields {
  @Field(() => ID)
  projectId!: string;

  @Field(() => String)
  name!: string;
}

@InputType()
export class UpdateCohortInput extends CohortFields {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { nullable: true })
  name?: string | null;
}
