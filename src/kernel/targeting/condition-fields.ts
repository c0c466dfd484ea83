import { GraphQLJSON } from 'graphql-scalars';
import { Extensions, Field, Float, InputType, Int, ObjectType } from 'type-graphql';
import { attributeKindOf } from '../../targeting/attributes.js';
import { type Condition, OPERATOR_NAMES, type OperatorName, type Scalar } from '../../targeting/condition.js';
import type { ConditionExplanation, RuleExplanation } from '../../targeting/rules/explain-rules.js';
import { RULE_LIMITS } from '../../targeting/rules/rule-problems.js';
import { enumType } from '../values/enum-type.js';

const OperatorType = enumType('ConditionOperator', OPERATOR_NAMES, {
  description: 'How a condition compares its attribute with its values.',
});

const ATTRIBUTES =
  'distinct_id, cohort, platform, app_version, os_version, locale, country, release, now, props.<key> or context.<key>.';

@InputType()
export class ConditionInputFields implements Condition {
  @Field(() => String, { description: ATTRIBUTES })
  attribute!: string;

  @Field(() => OperatorType, {
    nullable: true,
    description:
      'When absent: distinct_id, cohort and platform equal any value, app_version is in any range, props.<key> equals any text.',
  })
  operator?: OperatorName | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Holds when the attribute exists and matches none of the values.',
  })
  negate?: boolean | null;

  @Field(() => [GraphQLJSON], { description: 'Any of these texts, numbers or booleans; empty for exists.' })
  @Extensions({ mostEntries: RULE_LIMITS.values })
  values!: Scalar[];
}

@ObjectType()
export class ConditionFields implements Condition {
  @Field(() => String, { description: ATTRIBUTES })
  attribute!: string;

  @Field(() => OperatorType, { nullable: true })
  operator?: OperatorName | null;

  @Field(() => [GraphQLJSON])
  values!: readonly Scalar[];

  @Field(() => Boolean, { nullable: true })
  negate?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      'A value that nothing can equal, such as a number for an id, which is a text, and what to write instead.',
  })
  warning?(): string | null {
    return conditionWarning(this);
  }
}

@ObjectType()
export class ConditionExplanationFields extends ConditionFields implements ConditionExplanation {
  @Field(() => Boolean)
  holds!: boolean;

  @Field(() => GraphQLJSON, { nullable: true, description: 'The value of the attribute; null when it was absent.' })
  seen!: unknown;

  @Field(() => String, { nullable: true, description: 'Why it does not hold.' })
  because!: string | null;
}

@ObjectType()
export class RuleExplanationFields implements Omit<RuleExplanation, 'conditions' | 'share'> {
  @Field(() => Int)
  index!: number;

  @Field(() => Float)
  percentage!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Bucket of the rule, 0 to 99,999; null without an id to bucket by.',
  })
  bucket!: number | null;

  @Field(() => Boolean)
  inRollout!: boolean;

  @Field(() => Boolean)
  applies!: boolean;

  @Field(() => String, {
    description: 'The first condition that failed, that the rollout leaves the person out, or that the rule applies.',
  })
  because!: string;
}

/**
 * Names a value that nothing can equal, such as the number `12345` for an id, and what to write instead; null without
 * one.
 */
function conditionWarning({ attribute, operator, values }: Condition): string | null {
  if (operator !== 'in' || !attributeKindOf(attribute)?.isText) return null;
  const value = values.find((each) => typeof each !== 'string');
  return value === undefined
    ? null
    : `${attribute} is always a text, so it never equals the ${typeof value} ${value}; write "${value}"`;
}
