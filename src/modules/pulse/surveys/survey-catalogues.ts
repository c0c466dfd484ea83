import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { GatheredCalls, ONE_GROUP_AT_A_TIME } from '../../../kernel/database/gathered-calls.js';
import type { Question } from '../questions/question.js';
import type { SurveyKind } from './survey-kinds.js';
import type { BranchingRule, SurveyTheme, SurveyTranslations, TargetingRule } from './survey-parts.js';
import type { SurveyStatus } from './survey-statuses.js';

/** A survey as clients need it. Only published ones have their questions here. */
export interface CataloguedSurvey {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  readonly kind: SurveyKind;
  readonly status: SurveyStatus;
  readonly slug: string;
  readonly autoShow: boolean;
  readonly displayCooldownSeconds: number;
  readonly displayDelayMs: number;
  readonly targetingRules: readonly TargetingRule[];
  readonly branchingRules: readonly BranchingRule[];
  readonly theme: SurveyTheme | null;
  readonly translations: SurveyTranslations;
  readonly version: number;
  readonly revision: number;
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** In `order_index` order. */
  readonly questions: readonly Question[];
}

/** All surveys of a project at one moment. Immutable; a change to any survey creates a new one. */
export interface SurveyCatalogue {
  readonly revision: number;
  /** In order of creation. */
  readonly surveys: readonly CataloguedSurvey[];
  readonly byIdOrSlug: ReadonlyMap<string, CataloguedSurvey>;
}

const REVISIONS = 'select project_id, revision from survey_catalogue where project_id = any($1::uuid[])';

/** One statement, so that revision, surveys and questions are from the same moment. */
const CATALOGUE = `
select c.revision as "catalogueRevision", s.id, s.organization_id as "organizationId", s.project_id as "projectId", s.name,
       s.description, s.kind, s.status, s.slug, s.auto_show as "autoShow", s.display_cooldown_seconds as "displayCooldownSeconds",
       s.display_delay_ms as "displayDelayMs", s.targeting_rules as "targetingRules", s.branching_rules as "branchingRules",
       s.theme, s.translations, s.version, s.revision, s.archived_at as "archivedAt", s.created_at as "createdAt",
       s.updated_at as "updatedAt",
       case when s.status = 'published' then (
         select json_agg(json_build_object('id', q.id, 'kind', q.kind, 'prompt', q.prompt, 'required', q.required,
                  'orderIndex', q.order_index, 'options', q.options, 'scaleMin', q.scale_min, 'scaleMax', q.scale_max,
                  'maxLength', q.max_length, 'helpText', q.help_text) order by q.order_index, q.id)
           from survey_question q where q.survey_id = s.id and q.removed_at is null
       ) end as questions
  from survey_catalogue c left join survey s on s.project_id = c.project_id
 where c.project_id = $1
 order by s.created_at, s.id`;

const NO_SURVEYS: SurveyCatalogue = { revision: 0, surveys: [], byIdOrSlug: new Map() };
const MAX_PROJECTS = 2000;

type Row = Omit<CataloguedSurvey, 'questions'> & { catalogueRevision: number; questions: Question[] | null };

/**
 * The surveys of each project, in memory. {@link current} asks the database whether they are still valid, so that no process ever serves an
 * outdated edit; calls that arrive during such a check share the next one.
 */
export class SurveyCatalogues {
  private readonly known = new LRUCache<string, SurveyCatalogue>({ max: MAX_PROJECTS });
  private readonly loading = new Map<string, Promise<SurveyCatalogue>>();
  private readonly revisions = new GatheredCalls<string, number>(ONE_GROUP_AT_A_TIME, (ids) => this.readRevisions(ids));

  constructor(private readonly pool: Pool) {}

  /** The project's surveys, as of this call or later. */
  async current(projectId: string): Promise<SurveyCatalogue> {
    const revision = await this.revisionOf(projectId);
    let catalogue = this.known.get(projectId) ?? NO_SURVEYS;
    while (catalogue.revision < revision) catalogue = await this.load(projectId);
    return catalogue;
  }

  /** The project's surveys as last seen by this process, for callers that check the survey's revision when they write. */
  async recent(projectId: string): Promise<SurveyCatalogue> {
    return this.known.get(projectId) ?? this.current(projectId);
  }

  /** A number that increases with every change to any of the project's surveys. */
  revisionOf(projectId: string): Promise<number> {
    return this.revisions.make('revision', projectId);
  }

  private async readRevisions(projectIds: readonly string[]): Promise<number[]> {
    const { rows } = await this.pool.query<{ project_id: string; revision: number }>({
      name: 'survey-revisions',
      text: REVISIONS,
      values: [[...new Set(projectIds)]],
    });
    const revisions = new Map(rows.map((row) => [row.project_id, row.revision]));
    return projectIds.map((id) => revisions.get(id) ?? 0);
  }

  private load(projectId: string): Promise<SurveyCatalogue> {
    const underWay = this.loading.get(projectId);
    if (underWay) return underWay;
    const loading = this.read(projectId).finally(() => this.loading.delete(projectId));
    this.loading.set(projectId, loading);
    return loading;
  }

  private async read(projectId: string): Promise<SurveyCatalogue> {
    const { rows } = await this.pool.query<Row>({ name: 'survey-catalogue', text: CATALOGUE, values: [projectId] });
    const surveys = rows
      .filter(({ id }) => id !== null)
      .map(
        ({ catalogueRevision: _, questions, ...survey }): CataloguedSurvey => ({
          ...survey,
          questions: questions ?? [],
        }),
      );
    const byIdOrSlug = new Map(
      surveys.flatMap((survey) => [[survey.slug, survey] as const, [survey.id, survey] as const]),
    );
    const catalogue = { revision: rows[0]?.catalogueRevision ?? 0, surveys, byIdOrSlug };
    this.known.set(projectId, catalogue);
    return catalogue;
  }
}
