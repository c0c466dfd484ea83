/**
 * Texts and lists above these sizes are not compared, to bound the time of a decision. Lists with more than `searched`
 * entries, or more than `characters` in total, only support lookup of whole values.
 */
export const MOST_COMPARED = { characters: 1_024, entries: 1_000, searched: 32 };
