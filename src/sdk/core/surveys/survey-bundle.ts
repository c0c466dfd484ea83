import type { Json } from '../json.js';

export type QuestionKind =
  | 'text'
  | 'nps'
  | 'rating'
  | 'csat'
  | 'likert'
  | 'select'
  | 'multiselect'
  | 'boolean'
  | 'date';

export interface SurveySummary {
  readonly id: string;
  readonly slug: string;
  readonly auto_show: boolean;
  readonly display_cooldown_seconds: number;
  readonly display_delay_ms: number;
  readonly targeting_rules: readonly { readonly predicate: string; readonly weight_numerator: number }[];
}

export interface Question {
  readonly id: string;
  readonly kind: QuestionKind;
  readonly prompt: string;
  readonly required: boolean;
  readonly order_index: number;
  readonly options?: readonly string[];
  readonly scale_min?: number;
  readonly scale_max?: number;
  readonly max_length?: number;
  readonly help_text?: string;
}

export type Answers = Readonly<Record<string, Json>>;

/** A survey as it is shown (docs/rest.md, Surveys). */
export interface SurveyBundle {
  readonly survey: { readonly id: string; readonly name: string; readonly description: string };
  readonly questions: readonly Question[];
  readonly branching_rules: readonly {
    readonly from_question_id: string;
    readonly predicate: string;
    readonly to_question_id: string | null;
  }[];
  readonly theme: {
    readonly primary_color?: string | null;
    readonly background_color?: string | null;
    readonly foreground_color?: string | null;
    readonly font_family?: string | null;
    readonly dark_mode?: boolean | null;
    readonly logo_url?: string | null;
  } | null;
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly partial: { readonly answers: Answers; readonly current_question_id: string | null } | null;
}

/** A question whose answer the server did not accept, by id. */
export interface AnswerFault {
  readonly question_id: string;
  readonly reason?: string;
}

export type Submitted =
  | { readonly is: 'stored' }
  | { readonly is: 'over' }
  | { readonly is: 'failed' }
  | { readonly is: 'invalid'; readonly faults: readonly AnswerFault[] };

/** How a page shows a survey. */
export interface ShowOptions {
  /** Removes the survey when aborted, or keeps it from showing. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the survey is gone, whatever the person did with it. */
  readonly onClosed?: (() => void) | undefined;
}

/** Callbacks with which a survey view reports what the person does. */
export interface SurveyHooks {
  readonly locale: string;
  /** Whether the person asked for it, so it may take the focus. */
  readonly asked: boolean;
  partial(answers: Answers, currentQuestionId: string): void;
  submit(answers: Answers): Promise<Submitted>;
  closed(): void;
}

/** Shows a survey; the returned function removes it. */
export type SurveyView = (bundle: SurveyBundle, hooks: SurveyHooks) => () => void;

/** When each survey was last shown to a person, and which ones they answered. */
export interface KeptSeen {
  readonly shown?: Readonly<Record<string, number>>;
  readonly answered?: readonly string[];
}
