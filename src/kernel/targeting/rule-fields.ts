import { GraphQLJSON } from 'graphql-scalars';
import { ArgsType, Field, Float, InputType } from 'type-graphql';

/** What a rule is given as, but for its conditions, what it serves and its salt. */
@InputType()
export class RuleInputFields {
  @Field(() => Float, { nullable: true, description: '0 to 100 in steps of 0.001; 100 when absent.' })
  percentage?: number | null;

  @Field(() => String, { nullable: true, description: 'distinct_id when absent; props.<key> or context.<key>.' })
  bucketBy?: string | null;
}

@InputType()
export class ShareInputFields {
  @Field(() => Float, { description: 'Relative to the other weights.' })
  weight!: number;
}

@ArgsType()
export class ExplainedPersonArgs {
  @Field(() => String, { nullable: true, description: 'One with an e-mail address in it is for Editors.' })
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
    description: 'Instead of the cohorts the person is in. Names with an e-mail address in them are for Editors.',
  })
  cohorts?: string[] | null;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'Properties that stand before the stored ones. Those with an e-mail address in them are for Editors.',
  })
  properties?: unknown;

  @Field(() => GraphQLJSON, {
    nullable: true,
    description:
      "The request's context, an object; it stands over properties. One with an e-mail address in it is for Editors.",
  })
  context?: unknown;
}
