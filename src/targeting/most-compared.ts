/**
 * Texts and lists above these sizes are compared with nothing, so that a decision takes no longer than it may. Lists of more than
 * `searched` entries, or of more than `characters` together, have values looked up in them only.
 */
export const MOST_COMPARED = { characters: 1_024, entries: 1_000, searched: 32 };
