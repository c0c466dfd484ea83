import { Entity, Enum, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DatedEntity } from '../../../kernel/database/base-entity.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Organization } from '../../access/projects/organization.entity.js';
import { Project } from '../../access/projects/project.entity.js';
import { SURVEY_KINDS, type SurveyKind } from './survey-kinds.js';
import { BranchingRule, SurveyTheme, type SurveyTranslations, TargetingRule } from './survey-parts.js';
import { SURVEY_STATUSES, type SurveyStatus } from './survey-statuses.js';

export const SurveyKindType = Object.fromEntries(SURVEY_KINDS.map((kind) => [kind, kind])) as { [K in SurveyKind]: K };
registerEnumType(SurveyKindType, { name: 'SurveyKind' });

export const SurveyStatusType = Object.fromEntries(SURVEY_STATUSES.map((status) => [status, status])) as {
  [S in SurveyStatus]: S;
};
registerEnumType(SurveyStatusType, { name: 'SurveyStatus', description: 'Only published surveys accept responses.' });

@GraphNode<Survey>({ view: 'pulse.survey.view', actions: ['pulse.survey.change'] })
@ObjectType({
  implements: Node,
  description: 'A survey with the rules and texts that clients fetch.',
})
@Entity({ tableName: 'survey' })
@Index({
  name: 'survey_text_index',
  expression:
    'create index "survey_text_index" on "survey" using gin ("name" gin_trgm_ops, "slug" gin_trgm_ops, "description" gin_trgm_ops)',
})
@Unique({ name: 'survey_project_slug_unique', properties: ['projectId', 'slug'] })
@Index({ name: 'survey_project_index', properties: ['projectId', 'id'] })
@Index({ name: 'survey_project_created_index', properties: ['projectId', 'createdAt', 'id'] })
@Index({ name: 'survey_project_updated_index', properties: ['projectId', 'updatedAt', 'id'] })
@Index({ name: 'survey_project_name_index', properties: ['projectId', 'name', 'id'] })
export class Survey extends DatedEntity {
  [OptionalProps]?: 'status' | 'targetingRules' | 'branchingRules' | 'translations' | 'version' | 'revision';

  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('psv');

  @Field(() => ID)
  @Property({ type: 'uuid' })
  organizationId!: string;

  @Edge(() => Organization, 'organizationId')
  organization?: Organization;

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  description!: string;

  @Field(() => SurveyKindType)
  @Enum({ items: () => [...SURVEY_KINDS], type: 'text' })
  kind!: SurveyKind;

  @Field(() => SurveyStatusType)
  @Enum({ items: () => [...SURVEY_STATUSES], type: 'text' })
  status: SurveyStatus = 'draft';

  @Field(() => String, { description: 'Unique in the project; clients may use it instead of the id.' })
  @Property({ type: 'text' })
  slug!: string;

  @Field(() => Boolean)
  @Property({ type: 'boolean' })
  autoShow!: boolean;

  @Field(() => Int)
  @Property({ type: 'integer' })
  displayCooldownSeconds!: number;

  @Field(() => Int)
  @Property({ type: 'integer' })
  displayDelayMs!: number;

  @Field(() => [TargetingRule])
  @Property({ type: 'json' })
  targetingRules: TargetingRule[] = [];

  @Field(() => [BranchingRule])
  @Property({ type: 'json' })
  branchingRules: BranchingRule[] = [];

  @Field(() => SurveyTheme, { nullable: true })
  @Property({ type: 'json', nullable: true })
  theme: SurveyTheme | null = null;

  @Field(() => GraphQLJSONObject, { description: 'Language → survey.name or question.<id>.prompt → text.' })
  @Property({ type: 'json' })
  translations: SurveyTranslations = {};

  @Field(() => Int, {
    description: 'Increases with each content change; a response records the version that it answered.',
  })
  @Property({ type: 'integer' })
  version: number = 1;

  /** Counts every change to content or status, for ETags and submissions: unlike a time, it doesn't repeat within a millisecond. */
  @Property({ type: 'integer' })
  revision: number = 1;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  archivedAt: Date | null = null;

  @Field(() => Date)
  @Property({ type: 'Date' })
  updatedAt!: Date;
}
