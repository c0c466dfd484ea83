import { inWords } from '../plain-json.js';
import type { Session } from '../session.js';
import type { Answers, ShowOptions, Submitted, SurveyBundle, SurveyView } from './survey-bundle.js';

/** A survey that is about to show: whose it is, and who is told about it. */
export interface Showing {
  readonly session: Session;
  readonly options: {
    readonly locale: string;
    readonly release: string | null;
    readonly view: () => Promise<SurveyView>;
  };
  /** Whether the page asked for it, so that it may take the focus. */
  readonly asked: boolean;
  readonly given: ShowOptions;
  /** Ends it, on its way or shown. */
  readonly closing: AbortController;
  /** Asks the server, by JSON where there is a body; what it answered, status 0 for nothing. */
  readonly ask: (path: string, body?: object) => Promise<{ status: number; body: unknown }>;
  readonly warn: (message: string) => void;
  /** The survey is there no more. */
  readonly gone: () => void;
  readonly shown: (id: string) => void;
  /** The server has the answers. */
  readonly answered: (id: string) => void;
}

/** Fetches a survey and shows it; false when there is none to show. */
export async function showSurvey(survey: string, showing: Showing): Promise<boolean> {
  try {
    return await show(survey, showing);
  } catch (error) {
    showing.warn(`Quarterdeck: a survey could not be shown: ${inWords(error)}`);
    return false;
  }
}

async function show(survey: string, showing: Showing): Promise<boolean> {
  const { session, options, given, closing, ask, warn, gone, shown } = showing;
  const { signal } = closing;
  if (given.signal?.aborted) return false;
  const path = `/api/pulse/surveys/${encodeURIComponent(survey)}?external_id=${encodeURIComponent(session.id)}`;
  const [{ status, body }, view] = await Promise.all([ask(path), options.view()]);
  // A list that is some minutes old names surveys that have ended since.
  if (status === 404 || status === 422) gone();
  const bundle = status === 200 ? (body as SurveyBundle | null) : null;
  // It may have been closed while it was on its way.
  if (!bundle || bundle.questions.length === 0 || signal.aborted) return false;
  const { id } = bundle.survey;
  const remove = view(bundle, {
    locale: options.locale,
    asked: showing.asked,
    partial: (answers, current) => void savePartial(showing, id, answers, current),
    submit: (answers) => submit(showing, id, answers),
    closed: () => closing.abort(),
  });
  shown(id);
  const end = (): void => {
    try {
      remove();
      given.onClosed?.();
    } catch (error) {
      warn(`Quarterdeck: ${inWords(error)}`);
    }
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  return true;
}

async function savePartial(
  { session, ask }: Showing,
  survey: string,
  answers: Answers,
  currentQuestionId: string,
): Promise<void> {
  await ask('/api/pulse/partial', {
    survey_id: survey,
    respondent: { external_id: session.id },
    answers,
    current_question_id: currentQuestionId,
  });
}

async function submit(
  { session, options, ask, answered }: Showing,
  survey: string,
  answers: Answers,
): Promise<Submitted> {
  const { id, isKnown } = session;
  const { status, body } = await ask('/api/pulse/responses', {
    survey_id: survey,
    respondent: { external_id: id, ...(isKnown ? { user_id: id } : {}) },
    context: options.release === null ? {} : { release_version: options.release },
    answers,
  });
  if (status === 201) {
    answered(survey);
    return { is: 'stored' };
  }
  if (status === 422 || status === 404) return { is: 'over' };
  const { missing = [], invalid = [] } = (body ?? {}) as Record<string, []>;
  const faults = [...invalid, ...missing];
  return status === 400 && faults.length > 0 ? { is: 'invalid', faults } : { is: 'failed' };
}
