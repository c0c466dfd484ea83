import type DataLoader from 'dataloader';
import { decodeCursor, encodeCursor, type Page, pageOf, totalOf } from '../../../kernel/paging.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import { SurveyQuestion } from '../questions/survey-question.entity.js';
import { SurveyAnswer } from '../responses/survey-answer.entity.js';
import { SurveyDistribution } from '../responses/survey-distribution.entity.js';
import { SurveyResponse } from '../responses/survey-response.entity.js';

const QUESTIONS = Symbol('questions of surveys');
const ANSWERS = Symbol('answers of responses');
const RESPONSES = Symbol('responses of surveys');
const DISTRIBUTIONS = Symbol('distributions of surveys');

/** Loads the current questions of all surveys of an operation in one statement, each survey's in its order. */
export function questionLoader(operation: OperationContext): DataLoader<string, SurveyQuestion[]> {
  return loader(operation, QUESTIONS, async (surveyIds) => {
    const questions = await operation.current.em.find(
      SurveyQuestion,
      { surveyId: { $in: [...surveyIds] }, removedAt: null },
      { orderBy: { orderIndex: 'asc', id: 'asc' } },
    );
    return grouped(surveyIds, questions, ({ surveyId }) => surveyId);
  });
}

/** Loads the answers of all responses of an operation in one statement. */
export function answerLoader(operation: OperationContext): DataLoader<string, SurveyAnswer[]> {
  return loader(operation, ANSWERS, async (responseIds) => {
    const answers = await operation.current.em.find(SurveyAnswer, { responseId: { $in: [...responseIds] } });
    return grouped(responseIds, answers, ({ responseId }) => responseId);
  });
}

/** Loads the distributions of all surveys of an operation in one statement, oldest first. */
export function distributionLoader(operation: OperationContext): DataLoader<string, SurveyDistribution[]> {
  return loader(operation, DISTRIBUTIONS, async (surveyIds) => {
    const distributions = await operation.current.em.find(
      SurveyDistribution,
      { surveyId: { $in: [...surveyIds] } },
      { orderBy: { id: 'asc' } },
    );
    return grouped(surveyIds, distributions, ({ surveyId }) => surveyId);
  });
}

interface ResponsePage {
  surveyId: string;
  first: number;
  after: string | null;
}

/** Loads a page of responses, newest first, for each survey of an operation: one statement for each size and cursor asked for. */
export function responseLoader(operation: OperationContext): DataLoader<ResponsePage, Page<SurveyResponse>, string> {
  return loader(
    operation,
    RESPONSES,
    async (pages) => {
      const found = new Map<string, Page<SurveyResponse>>();
      for (const group of Map.groupBy(pages, ({ first, after }) => `${first} ${after ?? ''}`).values()) {
        for (const [key, page] of await responsePages(operation, group)) found.set(key, page);
      }
      return pages.map((page) => found.get(pageKey(page)) as Page<SurveyResponse>);
    },
    pageKey,
  );
}

const pageKey = ({ surveyId, first, after }: ResponsePage): string => `${surveyId} ${first} ${after ?? ''}`;

async function responsePages(
  operation: OperationContext,
  group: readonly ResponsePage[],
): Promise<[string, Page<SurveyResponse>][]> {
  const { em } = operation.current;
  const { first, after } = group[0] as ResponsePage;
  const before = after === null ? null : String(decodeCursor(after, 1)[0]);
  const rows = await em.execute<object[]>(
    `select r.* from unnest(array[?]::text[]) as survey(id)
       cross join lateral (
         select * from survey_response where survey_id = survey.id and (?::text is null or id < ?::text) order by id desc limit ?
       ) r`,
    [group.map(({ surveyId }) => surveyId), before, before, first + 1],
  );
  const bySurvey = Map.groupBy(
    rows.map((row) => em.map(SurveyResponse, row as never)),
    ({ surveyId }) => surveyId,
  );
  return group.map((page) => [
    pageKey(page),
    pageOf(
      bySurvey.get(page.surveyId) ?? [],
      first,
      (response) => encodeCursor([response.id]),
      async () => totalOf(await em.count(SurveyResponse, { surveyId: page.surveyId }), Number.POSITIVE_INFINITY),
      after,
    ),
  ]);
}

function grouped<T>(keys: readonly string[], rows: readonly T[], keyOf: (row: T) => string): T[][] {
  const byKey = Map.groupBy(rows, keyOf);
  return keys.map((key) => byKey.get(key) ?? []);
}
