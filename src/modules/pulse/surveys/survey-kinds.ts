/** Kinds of survey (docs/rest.md, Surveys). The kind labels a survey; its questions may mix. */
export const SURVEY_KINDS = ['nps', 'rating', 'csat', 'likert', 'custom'] as const;

export type SurveyKind = (typeof SURVEY_KINDS)[number];
