import { GraphQLJSON } from 'graphql-scalars';
import { ArgsType, Field, Float, InputType } from 'type-graphql';

/** The input of a rule, without its conditions, what it serves and its salt. */
@InputType()
export class RuleInputFields {
  @Field(() => Float, { nullable: true, description: '0 to 100 in steps of 0.001. Default: 100.' })
  percentage?: number | null;

  @Field(() => String, { nullable: true, description: 'distinct_id (default), props.<key> or context.<key>.' })
  bucketBy?: string | null;
}

@InputType()
export class ShareInputFields {
  @Field(() => Float, { description: 'Relative to the other weights.' })
  weight!: number;
}

@ArgsType()
export class ExplainedPersonArgs {
  @Field(() => String, { nullable: true, description: 'Only Editors can use an id that contains an email address.' })
  distinctId?: string | null;

  @Field(() => String, { nullable: true })
  appVersion?: string | null;

  @Field(() => String, { nullable: true })
  platform?: string | null;

  @Field(() => String, { nullable: true })
  osVersion?: string | null;

  @Field(() => String, { nullable: true })
  locale?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: "Replaces the person's cohorts. Only Editors can name cohorts with an email address in them.",
  })
  cohorts?: string[] | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      'Properties that override the stored ones. Only Editors can use properties with an email address in them.',
  })
  properties?: unknown;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      "The request's context, an object. It overrides properties. Only Editors can use one with an email address in it.",
  })
  context?: unknown;
}
