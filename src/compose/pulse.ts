import { eraseRecordedEvents, recordEvents } from '../modules/ingest/recorded-events.js';
import { AnalyticsCopyService } from '../modules/pulse/analytics-copy.service.js';
import { analyticsReaction } from '../modules/pulse/analytics-reaction.js';
import { BundleService } from '../modules/pulse/bundle.service.js';
import { DistributionService } from '../modules/pulse/distribution.service.js';
import { ExportService } from '../modules/pulse/export.service.js';
import { PartialService } from '../modules/pulse/partial.service.js';
import { RespondentService } from '../modules/pulse/respondent.service.js';
import { ResponseService } from '../modules/pulse/response.service.js';
import { ResponsesResolver, SurveyResponsesField } from '../modules/pulse/responses.resolver.js';
import { ResultService } from '../modules/pulse/result.service.js';
import { SubmissionService } from '../modules/pulse/submission.service.js';
import { SubmissionWriter } from '../modules/pulse/submission-writer.js';
import { SurveyService } from '../modules/pulse/survey.service.js';
import { SurveyCatalogues } from '../modules/pulse/survey-catalogues.js';
import { SurveyLifecycleService } from '../modules/pulse/survey-lifecycle.service.js';
import { SurveysResolver } from '../modules/pulse/surveys.resolver.js';
import type { AnalyticsReader } from '../storage/analytics-reader.js';
import { asSystem, type Composed, type Parts } from './parts.js';

export function composePulse({ pool, tx, clock, jobs, events, quotas }: Parts, analytics: AnalyticsReader) {
  const surveys = new SurveyService(events);
  const catalogues = new SurveyCatalogues(pool);
  const surveyPartials = new PartialService(catalogues, pool);
  const responses = new ResponseService(surveys);
  const analyticsCopies = new AnalyticsCopyService(recordEvents);
  const services = {
    surveys,
    surveyLifecycle: new SurveyLifecycleService(surveys, events),
    surveyDistributions: new DistributionService(surveys, events),
    surveyCatalogues: catalogues,
    surveyBundles: new BundleService(catalogues, surveyPartials),
    surveyPartials,
    submissions: new SubmissionService(catalogues, new SubmissionWriter(pool), events, quotas, tx),
    responses,
    responseExports: new ExportService(surveys, responses, pool),
    surveyResults: new ResultService(surveys, analytics),
    respondents: new RespondentService(events, eraseRecordedEvents),
    analyticsCopies,
  };
  return {
    services,
    resolvers: [
      new SurveysResolver(services.surveys, services.surveyLifecycle, services.surveyDistributions),
      new ResponsesResolver(services.responses, services.surveyResults, services.respondents),
      new SurveyResponsesField(),
    ],
    reactions: [analyticsReaction(jobs)],
    jobHandlers: {
      'pulse.copy_responses': ({ responseIds }) =>
        asSystem(tx, 'analytics', (ctx) => analyticsCopies.copy(ctx, responseIds)),
      'pulse.delete_expired_partials': async () => {
        await surveyPartials.deleteExpired(clock.now());
      },
    },
  } satisfies Composed<typeof services>;
}
