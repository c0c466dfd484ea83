import { eraseRecordedEvents, recordEvents } from '../modules/ingest/copy/recorded-events.js';
import { AnalyticsCopyService, analyticsReaction } from '../modules/pulse/responses/analytics-copy.service.js';
import { BundleService } from '../modules/pulse/responses/bundle.service.js';
import { DistributionService } from '../modules/pulse/responses/distribution.service.js';
import { DistributionsResolver } from '../modules/pulse/responses/distributions.resolver.js';
import { ExportService } from '../modules/pulse/responses/export.service.js';
import { ExportLinks } from '../modules/pulse/responses/export-links.js';
import { PartialService } from '../modules/pulse/responses/partial.service.js';
import { RespondentService } from '../modules/pulse/responses/respondent.service.js';
import { ResponseService } from '../modules/pulse/responses/response.service.js';
import {
  AnswerQuestionField,
  ResponsesResolver,
  ResultsQuestionField,
  SurveyResponsesField,
} from '../modules/pulse/responses/responses.resolver.js';
import { SubmissionService } from '../modules/pulse/responses/submission.service.js';
import { SubmissionWriter } from '../modules/pulse/responses/submission-writer.js';
import { ResponseCounts } from '../modules/pulse/results/response-counts.js';
import { ResultService } from '../modules/pulse/results/result.service.js';
import { SurveyService } from '../modules/pulse/surveys/survey.service.js';
import { SurveyCatalogues } from '../modules/pulse/surveys/survey-catalogues.js';
import { SurveyChangesResolver } from '../modules/pulse/surveys/survey-changes.resolver.js';
import { SurveyLifecycleService } from '../modules/pulse/surveys/survey-lifecycle.service.js';
import {
  BranchingRuleFields,
  ProjectSurveysResolver,
  SurveysResolver,
} from '../modules/pulse/surveys/surveys.resolver.js';
import type { AnalyticsReader } from '../storage/analytics/analytics-reader.js';
import { asSystem, type Composed, type Parts } from './parts.js';

export function composePulse(
  { pool, tx, clock, jobs, events, tails, env, jwtSecret, logger }: Parts,
  analytics: AnalyticsReader,
) {
  const surveys = new SurveyService(events);
  const catalogues = new SurveyCatalogues(pool);
  const surveyPartials = new PartialService(catalogues, pool);
  const responses = new ResponseService(surveys);
  const analyticsCopies = new AnalyticsCopyService((ctx, rows) => recordEvents(ctx, rows, tails.events));
  const responseCounts = new ResponseCounts(pool, logger);
  const services = {
    surveys,
    surveyLifecycle: new SurveyLifecycleService(surveys, events),
    surveyDistributions: new DistributionService(surveys, events),
    surveyCatalogues: catalogues,
    surveyBundles: new BundleService(catalogues, surveyPartials),
    surveyPartials,
    submissions: new SubmissionService(catalogues, new SubmissionWriter(pool), events),
    responses,
    responseExports: new ExportService(
      surveys,
      responses,
      pool,
      new ExportLinks(env.publicUrl, jwtSecret, env.jwtPreviousSecrets),
    ),
    surveyResults: new ResultService(surveys, analytics),
    respondents: new RespondentService(events, eraseRecordedEvents, responseCounts),
    analyticsCopies,
    responseCounts,
  };
  return {
    services,
    resolvers: [
      new SurveysResolver(services.surveys, services.surveyLifecycle),
      new ProjectSurveysResolver(services.surveys),
      new BranchingRuleFields(),
      new SurveyChangesResolver(services.surveys),
      new DistributionsResolver(services.surveyDistributions, responses),
      new ResponsesResolver(services.responses, services.surveyResults, services.respondents),
      new SurveyResponsesField(services.responses, services.surveyResults, services.responseExports),
      new AnswerQuestionField(),
      new ResultsQuestionField(),
    ],
    reactions: [analyticsReaction(jobs)],
    jobHandlers: {
      'pulse.copy_responses': ({ responseIds }) =>
        asSystem(tx, 'analytics', (ctx) => analyticsCopies.copy(ctx, responseIds)),
      'pulse.count_responses': (_none, signal) => responseCounts.count(signal),
      'pulse.delete_expired_partials': async () => {
        await surveyPartials.deleteExpired(clock.now());
      },
    },
  } satisfies Composed<typeof services>;
}
