import { IsOptional, MaxLength, ValidateNested } from 'class-validator';
import { ArgsType, Extensions, Field, ID, InputType } from 'type-graphql';
import { enumType } from '../../kernel/values/enum-type.js';
import { OneOf } from '../../kernel/values/one-of.js';
import { EnvironmentInput } from '../access/ids.inputs.js';
import { AudienceRuleInput } from './audience/audience.types.js';
import { INTERVALS, type Interval } from './hours/count-intervals.js';

const IntervalType = enumType('Interval', INTERVALS, { description: 'In UTC; weeks begin on Monday.' });

const MAX_TEXT = 10_000;
const MAX_COHORT_IDS = 100_000;

/** A time range, and the intervals for counting within it. */
@ArgsType()
class CountedTimesArgs extends EnvironmentInput {
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
@InputType({ description: 'One of the ids of a person.' })
export class PersonInput extends EnvironmentInput {
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
      'The complete new definition, instead of `predicate`, `distinctIds` and `rules`. Only `distinctIds` and `rules` together combine both.',
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
