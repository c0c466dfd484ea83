/** Texts and lists above these sizes are compared with nothing, so that a decision takes no longer than it may. */
export const MOST_COMPARED = { characters: 1_024, entries: 1_000 };
