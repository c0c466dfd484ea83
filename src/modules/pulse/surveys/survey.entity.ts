import { Entity, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { GraphQLJSONObject } from 'graphql-scalars';
import { ObjectType } from 'type-graphql';
import { Column, EnumColumn, IdColumn } from '../../../kernel/database/column.js';
import { TextIndex } from '../../../kernel/database/indexes.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Organization } from '../../access/projects/organization.entity.js';
import { ProjectEntity } from '../../access/projects/project-entities.js';
import { SURVEY_KINDS, type SurveyKind } from './survey-kinds.js';
import { BranchingRule, SurveyTheme, type SurveyTranslations, TargetingRule } from './survey-parts.js';
import { SURVEY_STATUSES, type SurveyStatus } from './survey-statuses.js';

export const SurveyKindType = enumType('SurveyKind', SURVEY_KINDS);

export const SurveyStatusType = enumType('SurveyStatus', SURVEY_STATUSES, {
  description: 'Only published surveys accept responses.',
});

@GraphNode<Survey>({ view: 'pulse.survey.view', actions: ['pulse.survey.change'] })
@ObjectType({
  implements: Node,
  description: 'A survey with the rules and texts that clients fetch.',
})
@Entity({ tableName: 'survey' })
@TextIndex('survey_text_index', 'survey', ['name', 'slug', 'description'])
@Unique({ name: 'survey_project_slug_unique', properties: ['projectId', 'slug'] })
@Index({ name: 'survey_project_index', properties: ['projectId', 'id'] })
@Index({ name: 'survey_project_created_index', properties: ['projectId', 'createdAt', 'id'] })
@Index({ name: 'survey_project_updated_index', properties: ['projectId', 'updatedAt', 'id'] })
@Index({ name: 'survey_project_name_index', properties: ['projectId', 'name', 'id'] })
export class Survey extends ProjectEntity {
  [OptionalProps]?: 'status' | 'targetingRules' | 'branchingRules' | 'translations' | 'version' | 'revision';

  @IdColumn('text')
  id: string = newPrefixedId('psv');

  @Column('uuid')
  organizationId!: string;

  @Edge(() => Organization, 'organizationId')
  organization?: Organization;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @EnumColumn(SurveyKindType)
  kind!: SurveyKind;

  @EnumColumn(SurveyStatusType)
  status: SurveyStatus = 'draft';

  @Column('text', { description: 'Unique in the project; clients may use it instead of the id.' })
  slug!: string;

  @Column('boolean')
  autoShow!: boolean;

  @Column('integer')
  displayCooldownSeconds!: number;

  @Column('integer')
  displayDelayMs!: number;

  @Column('json', { as: () => [TargetingRule] })
  targetingRules: TargetingRule[] = [];

  @Column('json', { as: () => [BranchingRule] })
  branchingRules: BranchingRule[] = [];

  @Column('json', { as: () => SurveyTheme, nullable: true })
  theme: SurveyTheme | null = null;

  @Column('json', {
    as: () => GraphQLJSONObject,
    description: 'Language → survey.name or question.<id>.prompt → text.',
  })
  translations: SurveyTranslations = {};

  @Column('integer', {
    description: 'Increases with each content change; a response records the version that it answered.',
  })
  version: number = 1;

  /** Counts every change to content or status, for ETags and submissions: unlike a time, it doesn't repeat within a millisecond. */
  @Property({ type: 'integer' })
  revision: number = 1;

  @Column('Date', { nullable: true })
  archivedAt: Date | null = null;

  @Column('Date')
  updatedAt!: Date;
}
