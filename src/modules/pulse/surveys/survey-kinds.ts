/** Kinds of surveys (docs/rest.md, Surveys). The kind is a label; questions of different kinds can be mixed. */
export const SURVEY_KINDS = ['nps', 'rating', 'csat', 'likert', 'custom'] as const;

export type SurveyKind = (typeof SURVEY_KINDS)[number];
