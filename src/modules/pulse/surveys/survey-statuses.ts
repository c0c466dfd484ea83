/** Survey statuses (docs/rest.md, Surveys). Only `published` surveys accept responses. */
export const SURVEY_STATUSES = ['draft', 'published', 'closed', 'archived'] as const;

export type SurveyStatus = (typeof SURVEY_STATUSES)[number];

/** A survey's transitions: the statuses it may be in, the one it moves to, and the event that records it. */
export const SURVEY_TRANSITIONS = {
  publish: { from: ['draft', 'closed'], to: 'published', event: 'pulse.survey.published' },
  close: { from: ['published'], to: 'closed', event: 'pulse.survey.closed' },
  archive: { from: ['draft', 'published', 'closed'], to: 'archived', event: 'pulse.survey.archived' },
  unarchive: { from: ['archived'], to: 'draft', event: 'pulse.survey.unarchived' },
} as const satisfies Record<string, { from: readonly SurveyStatus[]; to: SurveyStatus; event: string }>;

export type SurveyTransition = keyof typeof SURVEY_TRANSITIONS;

export function mayTransition(transition: SurveyTransition, status: SurveyStatus): boolean {
  return (SURVEY_TRANSITIONS[transition].from as readonly SurveyStatus[]).includes(status);
}
