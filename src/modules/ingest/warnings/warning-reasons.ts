/** Everything that ingestion does to an operation without rejecting it, and the dashboard's text for it. */
export const WARNING_REASONS = {
  empty_id: 'The id was empty; the operation was dropped.',
  id_too_long: 'The id had more than 400 characters; the operation was dropped.',
  garbage_id: 'The id was a placeholder such as null or anonymous; the operation was dropped.',
  leaked_header_id: 'The id was the value of an HTTP header; the operation was dropped.',
  clamped_time: 'The timestamp was over 23 hours ahead and was replaced by the time of receipt.',
  self_alias: 'An alias pointed to itself and was ignored.',
  cyclic_alias: 'Both ids of an alias already belonged to the same person; it was ignored.',
  too_many_ids: 'The two persons of an alias would have had more than 10,000 ids together; it was ignored.',
  profile_too_large:
    'A profile would have grown beyond 4 MiB or 10,000 properties; the new properties were not stored. A merge keeps properties that did not fit in its record.',
  repeated_insert_id: 'An event with the same insert_id was received within 24 hours; it was not stored again.',
  reused_idempotency_key:
    'An Idempotency-Key was reused within 24 hours with a different body; the request was stored as a new one.',
} as const;

export type WarningReason = keyof typeof WARNING_REASONS;
