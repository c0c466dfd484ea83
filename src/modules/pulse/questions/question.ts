import type { QuestionKindCode } from './question-kinds.js';
import type { QuestionSettings } from './question-settings.js';

/** What the pure parts of the module need to know of a question (docs/rest.md, Surveys). */
export interface Question extends QuestionSettings {
  readonly id: string;
  readonly kind: QuestionKindCode;
  readonly prompt: string;
  readonly required: boolean;
  /** Place in the survey, ascending. */
  readonly orderIndex: number;
  readonly helpText: string | null;
}
