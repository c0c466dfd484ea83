/** How a triage rule compares a response's score with its own: one row each. */
export const SCORE_COMPARISONS = {
  lt: { sign: '<', holds: (score: number, bound: number) => score < bound },
  lte: { sign: '≤', holds: (score: number, bound: number) => score <= bound },
  eq: { sign: '=', holds: (score: number, bound: number) => score === bound },
  gte: { sign: '≥', holds: (score: number, bound: number) => score >= bound },
  gt: { sign: '>', holds: (score: number, bound: number) => score > bound },
} as const;

export type ScoreComparison = keyof typeof SCORE_COMPARISONS;

export const SCORE_COMPARISON_CODES = Object.keys(SCORE_COMPARISONS) as ScoreComparison[];
