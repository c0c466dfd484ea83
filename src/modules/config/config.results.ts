import { Field, ObjectType } from 'type-graphql';
import { RedactedBelowEditor, type Redaction } from '../../kernel/values/email-redaction.js';
import { ConfigItem } from './config-item.entity.js';
import { ConfigRule } from './config-rule.entity.js';
import { ConfigVersion } from './config-version.entity.js';
import { ConfigTargetingRule } from './rules/config-rule.types.js';
import type { ItemRule, RuleValue } from './rules/item-rule.js';
import { rulesWithJsonWithoutEmails } from './rules/json-beside-text.js';

@ObjectType({ description: 'The result of a rollback: the item, the appended version, and the rule.' })
export class ConfigRollback {
  @Field(() => ConfigItem)
  item!: ConfigItem;

  @Field(() => ConfigVersion)
  version!: ConfigVersion;

  @Field(() => ConfigRule, { nullable: true })
  rule!: ConfigRule | null;
}

@ObjectType()
export class ConfigRuleValue {
  @Field(() => String)
  cohort!: string;

  @Field(() => String)
  value!: string;
}

const REDACTION: Redaction<readonly ItemRule[], ConfigRollbackPreview> = {
  redact: (rules, { item }) => rulesWithJsonWithoutEmails(item.type, rules),
};

@ObjectType({ description: 'What a rollback would change.' })
export class ConfigRollbackPreview {
  projectId!: string;

  @Field(() => ConfigItem)
  item!: ConfigItem;

  @Field(() => ConfigVersion)
  version!: ConfigVersion;

  @Field(() => String)
  currentValue!: string;

  @Field(() => String)
  restoredValue!: string;

  @Field(() => ConfigRuleValue, { nullable: true })
  currentRule!: RuleValue | null;

  @Field(() => ConfigRuleValue, { nullable: true })
  restoredRule!: RuleValue | null;

  @Field(() => [ConfigTargetingRule], { description: 'All rules, in order.' })
  @RedactedBelowEditor(REDACTION)
  currentRules!: readonly ConfigTargetingRule[];

  @Field(() => [ConfigTargetingRule])
  @RedactedBelowEditor(REDACTION)
  restoredRules!: readonly ConfigTargetingRule[];

  @Field(() => Boolean, { description: 'False if value and rule are already the same.' })
  changes!: boolean;

  @Field(() => String, { nullable: true, description: 'Why it would currently be rejected.' })
  obstacle!: string | null;
}
