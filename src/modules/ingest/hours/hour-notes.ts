/**
 * Ends a statement that erases events, in the erasure's transaction: `gone` are the rows that it deleted. Their hours are counted anew. What is
 * added is noted by `note_analytics_span`.
 */
export const NOTE_HOURS = `insert into event_hour_note (project_id, environment, received)
  select distinct project_id, environment, event_id_hour(id) from gone`;
