/** Kinds of survey (service interface 2.4; the full list is a decision of ours). The kind labels a survey; its questions may mix. */
export const SURVEY_KINDS = ['nps', 'rating', 'csat', 'likert', 'custom'] as const;

export type SurveyKind = (typeof SURVEY_KINDS)[number];
