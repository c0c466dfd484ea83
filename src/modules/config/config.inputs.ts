import { IsByteLength, Length, MaxLength, Min } from 'class-validator';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, InputType, Int } from 'type-graphql';
import { EnvironmentInput, IdInput } from '../access/ids.inputs.js';
import { MAX_CONFIG_TEXT_BYTES } from '../quotas/limits.js';
import { ConfigTargetingRuleInput } from './rules/config-rule.types.js';
import { ConfigValueType, type ValueTypeName } from './value-types.js';

const MAX_NOTE = 10_000;
/** The limit of REST, whose bodies have at most 64 KiB. */
const MAX_ROLLBACK_NOTE = 65_536;
const JSON_SCHEMA =
  'JSON Schema (draft 2020-12, without $async, at most 64 KiB) that every value must satisfy; checking a value may take at most 250 ms.';

@InputType()
export class ConfigRuleInput {
  @Field(() => String)
  @Length(1, 200)
  cohort!: string;

  @Field(() => String)
  value!: string;
}

@InputType()
export class CreateConfigItemInput extends EnvironmentInput {
  @Field(() => String)
  key!: string;

  @Field(() => ConfigValueType)
  type!: ValueTypeName;

  @Field(() => String, {
    description: 'Raw text for type string, JSON text for the others; at most 256 KiB, and 256 levels deep.',
  })
  value!: string;

  @Field(() => String, { nullable: true })
  @IsByteLength(0, MAX_CONFIG_TEXT_BYTES)
  description?: string | null;

  @Field(() => ConfigRuleInput, { nullable: true })
  rule?: ConfigRuleInput | null;

  @Field(() => [ConfigTargetingRuleInput], {
    nullable: true,
    description: 'Instead of the single rule; tried in order.',
  })
  rules?: ConfigTargetingRuleInput[] | null;

  @Field(() => GraphQLJSON, { nullable: true, description: JSON_SCHEMA })
  jsonSchema?: unknown;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_NOTE)
  note?: string | null;
}

@InputType()
export class UpdateConfigItemInput extends IdInput {
  @Field(() => String, { nullable: true })
  value?: string | null;

  @Field(() => ConfigRuleInput, { nullable: true, description: 'Absent keeps the rule, null removes it.' })
  rule?: ConfigRuleInput | null;

  @Field(() => [ConfigTargetingRuleInput], {
    nullable: true,
    description: 'Absent keeps the rules; otherwise replaces them.',
  })
  rules?: ConfigTargetingRuleInput[] | null;

  @Field(() => String, { nullable: true })
  @IsByteLength(0, MAX_CONFIG_TEXT_BYTES)
  description?: string | null;

  @Field(() => GraphQLJSON, { nullable: true, description: `${JSON_SCHEMA} Absent keeps the schema, null removes it.` })
  jsonSchema?: unknown;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_NOTE)
  note?: string | null;

  @Field(() => Int, { nullable: true, description: 'Fails with VERSION_CONFLICT if it is not the current version.' })
  @Min(1)
  expectedVersion?: number | null;
}

@InputType()
export class RollbackConfigItemInput {
  @Field(() => ID)
  itemId!: string;

  @Field(() => ID)
  versionId!: string;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_ROLLBACK_NOTE)
  note?: string | null;

  @Field(() => Int, { nullable: true, description: 'Fails with VERSION_CONFLICT if it is not the current version.' })
  @Min(1)
  expectedVersion?: number | null;
}
