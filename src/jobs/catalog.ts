import { type Static, type TObject, Type } from 'typebox';

interface Policy {
  /** Retries after the first attempt. */
  retries: number;
  /** Seconds before the first retry; each later one waits twice as long. */
  delay: number;
  /** Time limit of one attempt, in seconds. */
  timeout: number;
  /** Cron expression (UTC) for a scheduled job. */
  schedule?: string;
  /** Takes up to this many waiting jobs at once; jobs with the same payload are done in one run. */
  together?: number;
}

const job = <Payload extends TObject>(payload: Payload, policy: Policy) => ({ payload, policy });

/** Every kind of job with the shape of its payload and its retry policy. */
export const JOB_KINDS = {
  'access.delete_expired_tokens': job(Type.Object({}), { retries: 3, delay: 60, timeout: 300, schedule: '17 3 * * *' }),

  'quotas.forget_decision_usage': job(Type.Object({}), { retries: 3, delay: 60, timeout: 900, schedule: '37 3 * * *' }),

  'pulse.copy_responses': job(Type.Object({ responseIds: Type.Array(Type.String()) }), {
    retries: 5,
    delay: 10,
    timeout: 120,
  }),
  'pulse.delete_expired_partials': job(Type.Object({}), {
    retries: 3,
    delay: 60,
    timeout: 300,
    schedule: '*/5 * * * *',
  }),

  'plan.triage_response': job(
    Type.Object({
      projectId: Type.String(),
      responseId: Type.String(),
      surveyId: Type.String(),
      score: Type.Union([Type.Integer(), Type.Null()]),
    }),
    { retries: 5, delay: 5, timeout: 60 },
  ),

  'pulse.count_responses': job(Type.Object({}), { retries: 1, delay: 30, timeout: 3_600, schedule: '* * * * *' }),

  // It fails when the object store is down, which may last hours.
  'catch.convert_symbols': job(Type.Object({ artifactId: Type.String() }), { retries: 12, delay: 5, timeout: 300 }),
  'catch.fetch_symbols': job(
    Type.Object({
      projectId: Type.String(),
      environment: Type.String(),
      images: Type.Array(
        Type.Object({
          kind: Type.Union([Type.Literal('ios_dsym'), Type.Literal('android_ndk')]),
          key: Type.String(),
          codeId: Type.Union([Type.String(), Type.Null()]),
          codeFile: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
    }),
    { retries: 2, delay: 60, timeout: 1_200 },
  ),
  'catch.symbolicate_events': job(Type.Object({ projectId: Type.String(), environment: Type.String() }), {
    retries: 5,
    delay: 5,
    timeout: 900,
    together: 500,
  }),
  'catch.purge_release': job(
    Type.Object({
      projectId: Type.String(),
      // Jobs queued by 0.1 have neither.
      environment: Type.Optional(Type.Union([Type.Literal('live'), Type.Literal('test')])),
      deletedAt: Type.Optional(Type.String()),
      release: Type.String(),
    }),
    { retries: 10, delay: 60, timeout: 300 },
  ),
  'catch.sweep_objects': job(Type.Object({}), { retries: 2, delay: 300, timeout: 1_800, schedule: '43 2 * * *' }),
  'catch.delete_expired_uploads': job(Type.Object({}), { retries: 3, delay: 60, timeout: 900, schedule: '53 * * * *' }),
  'catch.delete_old_profiles': job(
    Type.Object({
      projectId: Type.String(),
      environment: Type.Union([Type.Literal('live'), Type.Literal('test')]),
    }),
    { retries: 3, delay: 60, timeout: 900, together: 500 },
  ),
  'catch.count_missing': job(Type.Object({}), { retries: 1, delay: 30, timeout: 3_600, schedule: '* * * * *' }),
  'catch.keep_partitions': job(Type.Object({}), { retries: 6, delay: 300, timeout: 600, schedule: '11 1 * * *' }),
  'catch.delete_expired': job(Type.Object({}), { retries: 3, delay: 300, timeout: 3_600, schedule: '23 1 * * *' }),
  'webhooks.clean_up': job(Type.Object({}), { retries: 8, delay: 60, timeout: 600, schedule: '41 2 * * *' }),
  'ingest.keep_partitions': job(Type.Object({}), { retries: 5, delay: 60, timeout: 3_600, schedule: '29 2 * * *' }),
  'ingest.erase_person': job(Type.Object({ erasureId: Type.String() }), { retries: 10, delay: 30, timeout: 3_600 }),
  'ingest.count_hours': job(Type.Object({}), { retries: 1, delay: 30, timeout: 3_600, schedule: '* * * * *' }),
  'ingest.forget': job(Type.Object({}), { retries: 3, delay: 60, timeout: 900, schedule: '41 * * * *' }),
  'analytics.abandon': job(Type.Object({}), { retries: 3, delay: 60, timeout: 300, schedule: '53 3 * * *' }),
} as const;

export type JobKind = keyof typeof JOB_KINDS;
export type JobPayload<K extends JobKind> = Static<(typeof JOB_KINDS)[K]['payload']>;
