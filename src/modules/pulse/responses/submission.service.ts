import type { EventLog } from '../../../events/event-log.js';
import { actorRecord, type Environment, type KeyActor } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { MINUTE_MS } from '../../../kernel/values/durations.js';
import { keyOf } from '../../access/guard.js';
import { nextMonth } from '../../quotas/month.js';
import { quotaFailure } from '../../quotas/quotas.errors.js';
import { pulseFailure } from '../pulse.errors.js';
import type { SurveyRespondent } from '../pulse.results.js';
import { responseScore } from '../questions/score.js';
import { type AnswerCheck, validateAnswers } from '../questions/validate-answers.js';
import type { CataloguedSurvey, SurveyCatalogue, SurveyCatalogues } from '../surveys/survey-catalogues.js';
import type { Submission, SubmissionWriter } from './submission-writer.js';

const CLOCK_SKEW_MS = 10 * MINUTE_MS;
const ATTEMPTS = 10;

/** A response as sent by a client (docs/rest.md, Surveys), its text already storable. */
export interface SubmissionInput {
  readonly survey: string;
  readonly respondent: SurveyRespondent;
  readonly distributionId: string | null;
  readonly context: Readonly<Record<string, unknown>>;
  readonly submittedAt: Date | null;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly insertId: string | null;
}

export interface Submitted {
  readonly id: string;
  readonly score: number | null;
  readonly environment: Environment;
  readonly surveyId: string;
}

/** The survey, if it currently accepts responses. Fails with `survey_not_found`, `not_accepting_responses`, `no_questions`. */
export function answerableSurvey(catalogue: SurveyCatalogue, idOrSlug: string): CataloguedSurvey {
  const survey = catalogue.byIdOrSlug.get(idOrSlug);
  if (survey === undefined) throw pulseFailure('survey_not_found');
  if (survey.status !== 'published') throw pulseFailure('not_accepting_responses', { status: survey.status });
  if (survey.questions.length === 0) throw pulseFailure('no_questions');
  return survey;
}

/** Fails with `validation`, which contains both lists. */
export function checkedAnswers(
  survey: CataloguedSurvey,
  answers: Readonly<Record<string, unknown>>,
  rules: { required: boolean },
): AnswerCheck {
  const check = validateAnswers(survey.questions, answers, rules);
  const { invalid, missing } = check;
  if (invalid.length > 0 || missing.length > 0) throw pulseFailure('validation', { invalid, missing });
  return check;
}

/** Accepts survey responses (docs/rest.md, Surveys). */
export class SubmissionService {
  constructor(
    private readonly catalogues: SurveyCatalogues,
    private readonly writer: SubmissionWriter,
    private readonly events: EventLog,
  ) {}

  /**
   * Validates, scores and stores a response; it is durable when this resolves. A repeat stores nothing and returns the first. Fails with
   * `survey_not_found`, `not_accepting_responses`, `no_questions`, `validation`, `quota_exceeded`, in this order, and then nothing is
   * stored.
   */
  async submit(ctx: Context, input: SubmissionInput): Promise<Submitted> {
    const key = keyOf(ctx, 'survey');
    let catalogue = await this.catalogues.recent(key.projectId);
    for (let attempt = 1; ; attempt++) {
      const submission = await this.checked(ctx, key, input, catalogue);
      const outcome = await this.writer.write(submission);
      if (outcome.result === 'accepted') {
        this.events.announce('pulse.response.submitted', null);
        if (outcome.crossed) this.events.announce('quotas.threshold.reached', key.projectId);
        const { id, score, environment, surveyId } = submission;
        return { id, score, environment, surveyId };
      }
      if (outcome.result === 'repeated') {
        const { environment, surveyId } = submission;
        return { id: outcome.id, score: outcome.score, environment, surveyId };
      }
      if (outcome.result === 'quota_exceeded') {
        const { used: current, limit } = outcome;
        throw quotaFailure('quota_exceeded', {
          meter: 'responses',
          current,
          limit,
          resetsAt: nextMonth(ctx.now()).toISOString(),
        });
      }
      if (attempt === ATTEMPTS)
        throw new Error(
          `survey ${submission.surveyId} changed during each of ${ATTEMPTS} attempts to store a response`,
        );
      catalogue = await this.catalogues.current(key.projectId);
    }
  }

  /** Only the survey's current state can reject a response; the writing statement itself verifies an acceptance. */
  private async checked(
    ctx: Context,
    key: KeyActor,
    input: SubmissionInput,
    recent: SurveyCatalogue,
  ): Promise<Submission> {
    try {
      return prepared(ctx, key, input, recent);
    } catch (refusal) {
      const catalogue = await this.catalogues.current(key.projectId);
      if (catalogue === recent) throw refusal;
      return prepared(ctx, key, input, catalogue);
    }
  }
}

function prepared(ctx: Context, key: KeyActor, input: SubmissionInput, catalogue: SurveyCatalogue): Submission {
  const survey = answerableSurvey(catalogue, input.survey);
  const { accepted } = checkedAnswers(survey, input.answers, { required: true });
  const now = ctx.now();
  const { submittedAt } = input;
  const future = submittedAt !== null && submittedAt.getTime() > now.getTime() + CLOCK_SKEW_MS;
  return {
    id: newPrefixedId('resp'),
    eventId: newPrefixedId('evt'),
    organizationId: survey.organizationId,
    projectId: survey.projectId,
    surveyId: survey.id,
    surveyRevision: survey.revision,
    surveyVersion: survey.version,
    environment: key.environment,
    score: responseScore(accepted),
    ...input.respondent,
    distributionId: input.distributionId,
    context: input.context,
    submittedAt: future || submittedAt === null ? now : submittedAt,
    createdAt: now,
    actorId: actorRecord(key).actorId,
    address: ctx.address,
    requestId: ctx.requestId,
    insertId: input.insertId,
    answers: accepted.map(({ question, value }) => [question.id, value] as const),
  };
}
