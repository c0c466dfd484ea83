import type { Context } from '../../../kernel/context.js';
import { keyOf } from '../../access/guard.js';
import { pulseFailure } from '../pulse.errors.js';
import type { CataloguedSurvey, SurveyCatalogue, SurveyCatalogues } from '../surveys/survey-catalogues.js';
import type { PartialAnswers, PartialService } from './partial.service.js';

export interface SurveyBundle {
  readonly catalogue: SurveyCatalogue;
  readonly survey: CataloguedSurvey;
  readonly partial: PartialAnswers | null;
}

/** What clients fetch: the project's surveys, and a single full survey (docs/rest.md, Surveys). */
export class BundleService {
  constructor(
    private readonly catalogues: SurveyCatalogues,
    private readonly partials: PartialService,
  ) {}

  /** All surveys of the key's project; clients may show the published ones. */
  list(ctx: Context): Promise<SurveyCatalogue> {
    return this.catalogues.current(keyOf(ctx, 'survey').projectId);
  }

  /** A published survey, with the respondent's partial save if one is named. Fails with `survey_not_found`, `not_accepting_responses`. */
  async get(ctx: Context, idOrSlug: string, externalId: string | null): Promise<SurveyBundle> {
    const catalogue = await this.list(ctx);
    const survey = catalogue.byIdOrSlug.get(idOrSlug);
    if (survey === undefined) throw pulseFailure('survey_not_found');
    if (survey.status !== 'published') throw pulseFailure('not_accepting_responses', { status: survey.status });
    const partial = externalId === null ? null : await this.partials.find(ctx, survey.id, externalId);
    return { catalogue, survey, partial };
  }
}
