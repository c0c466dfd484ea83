import { Entity, Enum, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { DatedEntity } from '../../../kernel/database/base-entity.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { rulesWithoutEmails } from '../../../kernel/targeting/conditions-without-emails.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import type { FlagRule, FlagVariant } from '../../../targeting/flags/flag-definition.js';
import type { Prerequisite } from '../../../targeting/prerequisites/prerequisite.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Project } from '../../access/projects/project.entity.js';
import { FlagPrerequisiteType, FlagRuleType, FlagVariantType } from '../flag.results.js';
import { FLAG_KIND_NAMES, type FlagKindName } from './flag-kinds.js';

export const FLAG_ID_PREFIX = 'flg';

export const FlagKindType = Object.fromEntries(FLAG_KIND_NAMES.map((name) => [name, name])) as {
  [N in FlagKindName]: N;
};
registerEnumType(FlagKindType, { name: 'FlagKind', description: 'Set when a flag is created; cannot be changed.' });

@GraphNode<Flag>({
  view: 'switch.flag.view',
  actions: ['switch.flag.change', 'switch.flag.halt', 'switch.flag.resume', 'switch.flag.archive'],
})
@ObjectType({ implements: Node, description: 'A feature flag of one environment.' })
@Entity({ tableName: 'flag' })
@Index({
  name: 'flag_text_index',
  expression: 'create index "flag_text_index" on "flag" using gin ("key" gin_trgm_ops, "description" gin_trgm_ops)',
})
@Unique({ name: 'flag_key_unique', properties: ['projectId', 'environment', 'key'] })
@Index({ name: 'flag_project_index', properties: ['projectId', 'environment', 'createdAt', 'id'] })
@Index({
  name: 'flag_halted_index',
  expression:
    'create index "flag_halted_index" on "flag" ("project_id", "halted_at", "id") where "halted_at" is not null',
})
@Index({ name: 'flag_created_index', properties: ['projectId', 'createdAt', 'id'] })
@Index({
  name: 'flag_changed_index',
  expression: 'create index "flag_changed_index" on "flag" ("project_id", "updated_at", "id") include ("is_archived")',
})
@Index({ name: 'flag_environment_updated_index', properties: ['projectId', 'environment', 'updatedAt', 'id'] })
@Index({ name: 'flag_project_key_index', properties: ['projectId', 'key', 'id'] })
@Index({
  name: 'flag_asking_index',
  expression:
    'create index "flag_asking_index" on "flag" ("project_id", "environment", "key") where not "is_archived" and json_array_length("prerequisites") > 0',
})
@Index({
  name: 'flag_needed_index',
  expression:
    'create index "flag_needed_index" on "flag" using gin (flag_needs("project_id", "environment", "prerequisites")) with (fastupdate = off) where not "is_archived" and json_array_length("prerequisites") > 0',
})
export class Flag extends DatedEntity {
  [OptionalProps]?: 'isArchived' | 'prerequisites';

  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId(FLAG_ID_PREFIX);

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Field(() => String)
  @Property({ type: 'text' })
  key!: string;

  @Field(() => FlagKindType)
  @Enum({ items: () => [...FLAG_KIND_NAMES], type: 'text' })
  kind!: FlagKindName;

  @Field(() => String)
  @Property({ type: 'text' })
  description!: string;

  @Field(() => String, {
    description: 'Value of the default variant: raw text for a string, JSON text for anything else.',
  })
  @Property({ type: 'text' })
  defaultValue!: string;

  @Field(() => String, { description: 'Served when no rule applies, and while the flag is halted or archived.' })
  @Property({ type: 'text' })
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

  @Field(() => Boolean)
  @Property({ type: 'boolean' })
  isArchived: boolean = false;

  @Field(() => Int)
  @Property({ type: 'integer' })
  currentVersion!: number;

  @Field(() => Date, { nullable: true, description: 'When the flag was halted; null if it is not.' })
  @Property({ type: 'Date', nullable: true })
  haltedAt: Date | null = null;

  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  haltReason: string | null = null;

  @Field(() => Date)
  @Property({ type: 'Date' })
  updatedAt!: Date;
}
