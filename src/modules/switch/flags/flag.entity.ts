import { Entity, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { Field, ObjectType } from 'type-graphql';
import { Column, EnumColumn, IdColumn } from '../../../kernel/database/column.js';
import { SqlIndex, TextIndex } from '../../../kernel/database/indexes.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { rulesWithoutEmails } from '../../../kernel/targeting/conditions-without-emails.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import type { FlagRule, FlagVariant } from '../../../targeting/flags/flag-definition.js';
import type { Prerequisite } from '../../../targeting/prerequisites/prerequisite.js';
import { GraphNode } from '../../access/graph/node.js';
import { EnvironmentEntity } from '../../access/projects/project-entities.js';
import { FlagPrerequisiteType, FlagRuleType, FlagVariantType } from '../flag.results.js';
import { FLAG_KIND_NAMES, type FlagKindName } from './flag-kinds.js';

export const FLAG_ID_PREFIX = 'flg';

export const FlagKindType = enumType('FlagKind', FLAG_KIND_NAMES, {
  description: 'Set when a flag is created; cannot be changed.',
});

@GraphNode<Flag>({
  view: 'switch.flag.view',
  actions: ['switch.flag.change', 'switch.flag.halt', 'switch.flag.resume', 'switch.flag.archive'],
})
@ObjectType({ implements: Node, description: 'A feature flag of one environment.' })
@Entity({ tableName: 'flag' })
@TextIndex('flag_text_index', 'flag', ['key', 'description'])
@Unique({ name: 'flag_key_unique', properties: ['projectId', 'environment', 'key'] })
@Index({ name: 'flag_project_index', properties: ['projectId', 'environment', 'createdAt', 'id'] })
@SqlIndex('flag_halted_index', '"flag" ("project_id", "halted_at", "id") where "halted_at" is not null')
@Index({ name: 'flag_created_index', properties: ['projectId', 'createdAt', 'id'] })
@SqlIndex('flag_changed_index', '"flag" ("project_id", "updated_at", "id") include ("is_archived")')
@Index({ name: 'flag_environment_updated_index', properties: ['projectId', 'environment', 'updatedAt', 'id'] })
@Index({ name: 'flag_project_key_index', properties: ['projectId', 'key', 'id'] })
@SqlIndex(
  'flag_asking_index',
  '"flag" ("project_id", "environment", "key") where not "is_archived" and json_array_length("prerequisites") > 0',
)
@SqlIndex(
  'flag_needed_index',
  '"flag" using gin (flag_needs("project_id", "environment", "prerequisites")) with (fastupdate = off) where not "is_archived" and json_array_length("prerequisites") > 0',
)
export class Flag extends EnvironmentEntity {
  [OptionalProps]?: 'isArchived' | 'prerequisites';

  @IdColumn('text')
  id: string = newPrefixedId(FLAG_ID_PREFIX);

  @Column('text')
  key!: string;

  @EnumColumn(FlagKindType)
  kind!: FlagKindName;

  @Column('text')
  description!: string;

  @Column('text', { description: 'Value of the default variant: raw text for a string, JSON text for anything else.' })
  defaultValue!: string;

  @Column('text', { description: 'Served when no rule applies, and while the flag is halted or archived.' })
  defaultVariant!: string;

  @Field(() => [FlagVariantType])
  @Property({ type: 'json', columnType: 'json' })
  variants!: readonly FlagVariant[];

  @Field(() => [FlagRuleType], { description: 'Tried in order; the first match decides.' })
  @RedactedBelowEditor({ redact: rulesWithoutEmails<FlagRule> })
  @Property({ type: 'json', columnType: 'json' })
  rules!: readonly FlagRule[];

  @Field(() => [FlagPrerequisiteType], { description: 'All must be met before a rule is tried.' })
  @Property({ type: 'json', columnType: 'json', default: '[]' })
  prerequisites: readonly Prerequisite[] = [];

  @Column('boolean')
  isArchived: boolean = false;

  @Column('integer')
  currentVersion!: number;

  @Column('Date', { nullable: true, description: 'When the flag was halted; null if it is not.' })
  haltedAt: Date | null = null;

  @Column('text', { nullable: true })
  haltReason: string | null = null;

  @Column('text', { nullable: true, description: 'The link given as evidence for the halt.' })
  haltEvidenceUrl: string | null = null;

  @Column('Date')
  updatedAt!: Date;
}
