import type { QuestionKindCode } from './question-kinds.js';
import type { QuestionSettings } from './question-settings.js';

/** The parts of a question that the module's pure functions need (docs/rest.md, Surveys). */
export interface Question extends QuestionSettings {
  readonly id: string;
  readonly kind: QuestionKindCode;
  readonly prompt: string;
  readonly required: boolean;
  /** Position in the survey, ascending. */
  readonly orderIndex: number;
  readonly helpText: string | null;
}
