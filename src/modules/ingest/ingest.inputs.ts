import { IsOptional, MaxLength, ValidateNested } from 'class-validator';
import { ArgsType, Extensions, Field, ID, InputType } from 'type-graphql';
import { enumType } from '../../kernel/values/enum-type.js';
import { OneOf } from '../../kernel/values/one-of.js';
import { EnvironmentInput } from '../access/environment-input.js';
import { AudienceRuleInput } from './audience/audience.types.js';
import { INTERVALS, type Interval } from './hours/count-intervals.js';

const IntervalType = enumType('Interval', INTERVALS, { description: 'Of UTC; weeks begin on Monday.' });

const MAX_TEXT = 10_000;
const MAX_COHORT_IDS = 100_000;

/** A stretch of time, and the pieces in which what happened in it is counted. */
@ArgsType()
class CountedTimesArgs extends EnvironmentInput {
  @Field(() => Date, { description: 'By the time at which the events happened, included.' })
  from!: Date;

  @Field(() => Date, { description: 'Excluded.' })
  to!: Date;

  @Field(() => IntervalType, { defaultValue: 'day' })
  interval!: Interval;
}

@ArgsType()
export class EventCountsArgs extends CountedTimesArgs {
  @Field(() => String, { nullable: true, description: 'All events when absent.' })
  eventName?: string | null;
}

@ArgsType()
export class EventBreakdownArgs extends CountedTimesArgs {
  @Field(() => String)
  @MaxLength(MAX_TEXT)
  eventName!: string;

  @Field(() => String, { description: 'Name of a member of the properties.' })
  @MaxLength(MAX_TEXT)
  property!: string;
}

@ArgsType()
@InputType({ description: 'One of the ids of a person.' })
export class PersonInput extends EnvironmentInput {
  @Field(() => String)
  distinctId!: string;
}

@OneOf()
@InputType({ description: 'Exactly one of these.' })
class CohortMembersInput {
  @Field(() => [String], { nullable: true, description: 'The people with these ids.' })
  @Extensions({ mostEntries: MAX_COHORT_IDS })
  distinctIds?: string[] | null;

  @Field(() => [AudienceRuleInput], {
    nullable: true,
    description: 'Whoever one of them covers; one at least. They cannot ask for cohorts.',
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
      'Who is in it, whoever was before; instead of `predicate`, `distinctIds` and `rules`, which say ids and rules together.',
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
      'Instead of a predicate, or beside ids: whoever one of them covers is in it. They cannot ask for cohorts.',
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
