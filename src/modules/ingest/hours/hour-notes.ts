/**
 * Ends a statement that erases events, in the erasure's transaction: `gone` are the rows it deleted. Their hours are recounted. Additions
 * are noted by `note_analytics_span`.
 */
export const NOTE_HOURS = `insert into event_hour_note (project_id, environment, received)
  select distinct project_id, environment, event_id_hour(id) from gone`;
