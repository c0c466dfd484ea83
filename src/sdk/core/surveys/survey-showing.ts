import { ask, type Connection, jsonOf } from '../connection.js';
import { inWords, jsonText } from '../plain-json.js';
import type { Session } from '../session.js';
import type { Answers, KeptSeen, ShowOptions, Submitted, SurveyBundle, SurveyView } from './survey-bundle.js';

/** The person. */
export interface SurveyHost {
  readonly connection: Connection;
  readonly session: Session;
  readonly options: {
    readonly locale: string;
    readonly release: string | null;
    readonly isOpen: () => boolean;
    readonly view: () => Promise<SurveyView>;
  };
  readonly shownHere: Set<string>;
  isComing: boolean;
  keepSeen(seen: KeptSeen): void;
}

/** How a survey is to show. */
export interface Showing {
  /** Whether the page asked for it, so it may take the focus. */
  readonly asked: boolean;
  readonly given: ShowOptions;
  /** Ends it, whether loading or shown. */
  readonly closing: AbortController;
}

/** Loads and shows a survey; false when there is none to show. */
export async function showSurvey(host: SurveyHost, survey: string, showing: Showing): Promise<boolean> {
  try {
    return await show(host, survey, showing);
  } catch (error) {
    host.connection.platform.warn(`Quarterdeck: a survey could not be shown: ${inWords(error)}`);
    return false;
  }
}

async function show(host: SurveyHost, survey: string, { asked, given, closing }: Showing): Promise<boolean> {
  const { session, options, shownHere } = host;
  const { now, uuid, warn } = host.connection.platform;
  const { signal } = closing;
  if (given.signal?.aborted) return false;
  const path = `/api/pulse/surveys/${encodeURIComponent(survey)}?external_id=${encodeURIComponent(session.id)}`;
  const [{ status, body }, view] = await Promise.all([send(host, path), options.view()]);
  // A list that is some minutes old may name surveys that have ended since.
  if (status === 404 || status === 422) shownHere.add(survey);
  const bundle = status === 200 ? (body as SurveyBundle | null) : null;
  // It may have been closed while loading.
  if (!bundle || bundle.questions.length === 0 || signal.aborted) return false;
  const { id } = bundle.survey;
  const insertId = uuid();
  host.isComing = false;
  const remove = view(bundle, {
    locale: options.locale,
    asked,
    partial: (answers, current) => void savePartial(host, id, answers, current),
    submit: (answers) => submit(host, id, insertId, answers),
    closed: () => closing.abort(),
  });
  shownHere.add(id);
  host.keepSeen({ shown: { [id]: now() } });
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

async function send(
  { connection, options }: SurveyHost,
  path: string,
  body?: object,
): Promise<{ status: number; body: unknown }> {
  const answer = options.isOpen() ? await ask(connection, path, body && jsonText(body)) : null;
  return { status: answer?.status ?? 0, body: answer && (await jsonOf(answer)) };
}

async function savePartial(
  host: SurveyHost,
  survey: string,
  answers: Answers,
  currentQuestionId: string,
): Promise<void> {
  await send(host, '/api/pulse/partial', {
    survey_id: survey,
    respondent: { external_id: host.session.id },
    answers,
    current_question_id: currentQuestionId,
  });
}

/** Sends the answers under the same id each time, because a response may have been lost after the server stored them. */
async function submit(host: SurveyHost, survey: string, insertId: string, answers: Answers): Promise<Submitted> {
  const { id, known } = host.session.person;
  const { release } = host.options;
  const { status, body } = await send(host, '/api/pulse/responses', {
    survey_id: survey,
    respondent: { external_id: id, ...(known ? { user_id: id } : {}) },
    context: release === null ? {} : { release_version: release },
    answers,
    insert_id: insertId,
  });
  if (status === 201) {
    host.keepSeen({ answered: [survey] });
    return { is: 'stored' };
  }
  // A proxy without its server also answers 404, with its own body.
  if (body !== null && (status === 422 || status === 404)) return { is: 'over' };
  const { missing = [], invalid = [] } = (body ?? {}) as Record<string, []>;
  const faults = [...invalid, ...missing];
  return status === 400 && faults.length > 0 ? { is: 'invalid', faults } : { is: 'failed' };
}
