import type { Session } from '../session.js';
import type { Answers, Submitted, SurveyBundle, SurveyView } from './survey-bundle.js';

/** A survey that is about to show: whose it is, and who is told about it. */
export interface Showing {
  readonly session: Session;
  readonly options: { readonly locale: string; readonly release: string | null };
  /** Whether the page asked for it, so that it may take the focus. */
  readonly asked: boolean;
  /** Sends JSON; what the server answered, status 0 for nothing. */
  readonly send: (path: string, body: object) => Promise<{ status: number; body: unknown }>;
  readonly warn: (message: string) => void;
  readonly closed: () => void;
  /** The server has the answers. */
  readonly answered: () => void;
}

/** Shows a survey and brings its answers; the returned function takes it away, null is that it could not be shown. */
export function showBundle(view: SurveyView, bundle: SurveyBundle, showing: Showing): (() => void) | null {
  const { options, asked, warn, closed } = showing;
  const { id } = bundle.survey;
  try {
    return view(bundle, {
      locale: options.locale,
      asked,
      partial: (answers, current) => void savePartial(showing, id, answers, current),
      submit: (answers) => submit(showing, id, answers),
      closed,
    });
  } catch (error) {
    warn(`Quarterdeck: a survey could not be shown: ${String(error)}`);
    return null;
  }
}

async function savePartial(
  { session, send }: Showing,
  survey: string,
  answers: Answers,
  currentQuestionId: string,
): Promise<void> {
  await send('/api/pulse/partial', {
    survey_id: survey,
    respondent: { external_id: session.id },
    answers,
    current_question_id: currentQuestionId,
  });
}

async function submit(
  { session, options, send, answered }: Showing,
  survey: string,
  answers: Answers,
): Promise<Submitted> {
  const { id, isKnown } = session;
  const { status, body } = await send('/api/pulse/responses', {
    survey_id: survey,
    respondent: { external_id: id, ...(isKnown ? { user_id: id } : {}) },
    context: options.release === null ? {} : { release_version: options.release },
    answers,
  });
  if (status === 201) {
    answered();
    return { is: 'stored' };
  }
  if (status === 422 || status === 404) return { is: 'over' };
  const { missing = [], invalid = [] } = (body ?? {}) as Record<string, []>;
  const faults = [...invalid, ...missing];
  return status === 400 && faults.length > 0 ? { is: 'invalid', faults } : { is: 'failed' };
}
