/** Everything that ingestion does to an operation without refusing it, and what the dashboard says about it. */
export const WARNING_REASONS = {
  empty_id: 'The id was empty; the operation was dropped.',
  id_too_long: 'The id had more than 400 characters; the operation was dropped.',
  garbage_id: 'The id was a word that stands for no one, such as null or anonymous; the operation was dropped.',
  leaked_header_id: 'The id was the value of an HTTP header; the operation was dropped.',
  clamped_time: 'The timestamp was over 23 hours ahead and became the time of receipt.',
  self_alias: 'An alias pointed to itself and was ignored.',
  cyclic_alias: 'Both ids of an alias already belonged to the same person; it was ignored.',
  too_many_ids: 'The two persons of an alias would have had over 10,000 ids together; it was ignored.',
  profile_too_large:
    'A profile would have grown beyond 4 MiB or 10,000 properties; those given were not stored. A merge keeps what found no room in its record.',
  repeated_insert_id: 'An event with the same insert_id came within 24 hours; it was not stored again.',
  reused_idempotency_key:
    'An Idempotency-Key came within 24 hours with another body; the request was stored as one of its own.',
} as const;

export type WarningReason = keyof typeof WARNING_REASONS;
