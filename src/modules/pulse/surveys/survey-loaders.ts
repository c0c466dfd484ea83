import type DataLoader from 'dataloader';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import { SurveyAnswer } from './survey-answer.entity.js';
import { SurveyDistribution } from './survey-distribution.entity.js';
import { SurveyQuestion } from './survey-question.entity.js';

const QUESTIONS = Symbol('questions of surveys');
const ANSWERS = Symbol('answers of responses');
const ANY_QUESTIONS = Symbol('questions by id');
const ATTRIBUTIONS = Symbol('distributions of responses');
const DISTRIBUTIONS = Symbol('distributions of surveys');

/** Loads the current questions of all surveys of an operation in one statement, in order for each survey. */
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

interface QuestionKey {
  surveyId: string;
  questionId: string;
}

/** Loads questions by their ids, including removed ones, in one statement. */
export function anyQuestionLoader(operation: OperationContext): DataLoader<QuestionKey, SurveyQuestion | null, string> {
  const keyOf = ({ surveyId, questionId }: QuestionKey): string => `${surveyId} ${questionId}`;
  return loader(
    operation,
    ANY_QUESTIONS,
    async (keys) => {
      const questions = await operation.current.em.find(SurveyQuestion, {
        surveyId: { $in: [...new Set(keys.map(({ surveyId }) => surveyId))] },
        id: { $in: [...new Set(keys.map(({ questionId }) => questionId))] },
      });
      const byKey = new Map(
        questions.map((found) => [keyOf({ surveyId: found.surveyId, questionId: found.id }), found]),
      );
      return keys.map((key) => byKey.get(keyOf(key)) ?? null);
    },
    keyOf,
  );
}

/** Loads the distributions that responses are attributed to in one statement. */
export function attributionLoader(operation: OperationContext): DataLoader<string, SurveyDistribution | null> {
  return loader(operation, ATTRIBUTIONS, async (ids) => {
    const found = await operation.current.em.find(SurveyDistribution, { id: { $in: [...ids] } });
    return ids.map((id) => found.find((distribution) => distribution.id === id) ?? null);
  });
}

function grouped<T>(keys: readonly string[], rows: readonly T[], keyOf: (row: T) => string): T[][] {
  const byKey = Map.groupBy(rows, keyOf);
  return keys.map((key) => byKey.get(key) ?? []);
}
