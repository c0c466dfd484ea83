/** Every limit of the product that isn't a setting of the server (docs/rest.md, Limits). */

export const PLANS = ['hobby', 'pro', 'growth', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** What is counted per project and calendar month (UTC). */
export const METERS = ['events', 'decisions', 'responses'] as const;
export type Meter = (typeof METERS)[number];

/** Requests of one key, or of one address without a key, per wall-clock minute. */
export const REQUESTS_PER_MINUTE = 500;

/** Most recent versions that a list shows. */
export const VERSIONS_SHOWN = 100;

/** Text of a config item's value, and of its rule's, in UTF-8. */
export const MAX_CONFIG_VALUE_BYTES = 256 * 1024;

/** A config item's description, and its JSON Schema as text, in UTF-8. */
export const MAX_CONFIG_TEXT_BYTES = 64 * 1024;

const KIB = 1024;
const MIB = 1024 * KIB;

/** Maximum bytes of a request's body after decompression, by content. The setting MAX_BODY_BYTES lowers all of them. */
export const BODY_CAPS = {
  /** A halt, a resume, a rollback. */
  command: 64 * KIB,
  /** A context that flags are evaluated for. */
  context: 256 * KIB,
  /** A survey response or a partial save. */
  response: MIB,
  /** A GraphQL operation with its variables. */
  graphql: MIB,
  /** A part of a symbol file. */
  part: 8 * MIB,
  profile: 20 * MIB,
  crashes: 32 * MIB,
  /** Ingestion and symbol files, which are stored while they arrive. */
  stream: 500 * MIB,
} as const;

const GIB = 1024 * MIB;

/** Number of newest profiles kept per project and environment, since anyone with a page's key can send them. */
export const KEPT_PROFILES = { count: 10_000, bytes: GIB } as const;

export const MAX_WEBHOOK_SUBSCRIPTIONS = 100;

/** Percentages of a quota that emit `quotas.threshold.reached`, each once a month. */
export const THRESHOLDS = [80, 95] as const;

export interface PlanLimits {
  /** Null is unlimited. */
  events: number | null;
  decisions: number | null;
  responses: number | null;
  symbolBytes: number | null;
  retentionDays: number;
}

export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  hobby: { events: 100_000, decisions: 100_000, responses: 1_000, symbolBytes: 5 * GIB, retentionDays: 90 },
  pro: { events: 5_000_000, decisions: 10_000_000, responses: 50_000, symbolBytes: null, retentionDays: 365 },
  growth: { events: 25_000_000, decisions: null, responses: 500_000, symbolBytes: null, retentionDays: 730 },
  enterprise: { events: null, decisions: null, responses: null, symbolBytes: null, retentionDays: 1_825 },
};
