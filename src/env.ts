import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';

const MEBIBYTE = 1024 * 1024;
/** Minimum length of a secret, whether set or kept in a file. */
export const LEAST_SECRET_LENGTH = 32;
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Settings that have no effect without another, each with that one. */
const NEEDS = [
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
  ['S3_ACCESS_KEY_ID', 'S3_ENDPOINT'],
  ['S3_PUBLIC_ENDPOINT', 'S3_ENDPOINT'],
  ['S3_BUCKET', 'S3_ENDPOINT'],
  ['S3_REGION', 'S3_ENDPOINT'],
  ['CLICKHOUSE_USER', 'CLICKHOUSE_URL'],
  ['CLICKHOUSE_PASSWORD', 'CLICKHOUSE_URL'],
  ['CLICKHOUSE_DATABASE', 'CLICKHOUSE_URL'],
  ['JWKS_URL', 'JWKS_ISSUER'],
  ['JWKS_ISSUER', 'JWKS_URL'],
] as const;

/** Something a person has to change before the server can start, as one sentence; shown without a stack trace. */
export class SettingError extends Error {}

type Source = Readonly<Record<string, string | undefined>>;

class Reader {
  constructor(private readonly source: Source) {}

  text(name: string): string | null {
    const value = this.source[name]?.trim();
    return value ? value : null;
  }

  /** Rejects a setting whose `needed` one is missing. */
  both(name: string, needed: string): void {
    if (this.text(name) !== null && this.text(needed) === null)
      throw new SettingError(`${needed} is missing: ${name} has no effect without it. Set both or neither.`);
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const text = this.text(name);
    if (text === null) return fallback;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new SettingError(
        `${name} must be a whole number from ${least} to ${most} in plain digits, not ${JSON.stringify(text)}.`,
      );
    return value;
  }

  /** A port for something that is left out if the port isn't set. */
  port(name: string): number | null {
    return this.text(name) === null ? null : this.integer(name, 0, 0, 65_535);
  }

  fraction(name: string, fallback: number): number {
    const text = this.text(name);
    if (text === null) return fallback;
    const value = Number(text);
    if (!/^\d*\.?\d+$/.test(text) || value > 1)
      throw new SettingError(
        `${name} must be a number from 0 to 1 in plain digits, such as 0.25, not ${JSON.stringify(text)}.`,
      );
    return value;
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const text = this.text(name);
    if (text === null) return fallback;
    if (!(values as readonly string[]).includes(text))
      throw new SettingError(`${name} must be one of ${values.join(', ')}, not "${text}".`);
    return text as T;
  }

  url(name: string, protocols: readonly string[]): string | null {
    const text = this.text(name);
    if (text === null) return null;
    const beginnings = protocols.map((protocol) => `${protocol}//`);
    if (!beginnings.some((beginning) => text.toLowerCase().startsWith(beginning)))
      throw new SettingError(`${name} must be a URL that begins with ${beginnings.join(' or ')}.`);
    // Anything after a # is never sent, so it must be part of a password that isn't URL-encoded.
    if (!URL.canParse(text) || new URL(text).hash !== '')
      throw new SettingError(
        `${name} is not a valid URL: it needs a host, and #, /, ? and @ in a user or password must be written as %23, %2F, %3F and %40.`,
      );
    return text;
  }

  /** A public URL that paths are appended to. */
  baseUrl(name: string): string | null {
    const text = this.url(name, ['http:', 'https:']);
    if (text === null) return null;
    const { username, password, search } = new URL(text);
    if (username !== '' || password !== '' || search !== '')
      throw new SettingError(`${name} must be a URL without user, password and query: paths are appended to it.`);
    return text.replace(/\/+$/, '');
  }

  /** The text of `name=value,…`. Errors don't show the value, since it may be a secret. */
  pairs(name: string): string | null {
    const wrong = this.list(name).findIndex((entry) => !/^[^=]*[^=\s][^=]*=/.test(entry));
    if (wrong >= 0)
      throw new SettingError(`${name} must be a comma-separated list of name=value; entry ${wrong + 1} is not.`);
    return this.text(name);
  }

  /** {@link pairs} that become HTTP headers. */
  headers(name: string): string | null {
    const wrong = this.list(name).findIndex((entry) => !/^[!#$%&'*+.^`|~\w-]+\s*=[\x20-\x7e]*$/.test(entry));
    if (wrong >= 0)
      throw new SettingError(
        `${name} must be a comma-separated list of name=value that HTTP headers can carry; entry ${wrong + 1} is not.`,
      );
    return this.text(name);
  }

  /** A token that callers send in a header. Errors don't show it. */
  bearer(name: string): string | null {
    const value = this.text(name);
    if (value !== null && !/^[\x20-\x7e]+$/.test(value))
      throw new SettingError(`${name} must consist of ASCII letters, digits and signs: callers send it in a header.`);
    return value;
  }

  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean);
  }

  secret(name: string): string | null {
    const value = this.text(name);
    return value === null ? null : longEnough(name, value);
  }

  secrets(name: string): string[] {
    return this.list(name).map((value) => longEnough(`Each of ${name}`, value));
  }

  emails(name: string): string[] {
    const entries = this.list(name).map((entry) => entry.toLowerCase());
    const wrong = entries.find((entry) => !/^[^@\s]+@[^@\s]+$/.test(entry));
    if (wrong !== undefined)
      throw new SettingError(`${name} must be a comma-separated list of email addresses; "${wrong}" is not one.`);
    return entries;
  }

  networks(name: string): string[] {
    const entries = this.list(name);
    for (const entry of entries) {
      if (!isNetwork(entry))
        throw new SettingError(
          `${name} must be a comma-separated list of addresses or CIDR ranges, such as 10.0.0.0/8; "${entry}" is neither.`,
        );
    }
    return entries;
  }
}

/**
 * Every setting of the server, read once and validated at startup. `source` is `process.env` except in tests. Throws a {@link SettingError}
 * that names the setting and what it accepts.
 */
export function readEnv(source: Source = process.env) {
  const read = new Reader(source);
  for (const [name, needed] of NEEDS) read.both(name, needed);
  const port = read.integer('PORT', 4000, 0, 65_535);
  const host = read.text('HOST') ?? '127.0.0.1';
  return {
    /** Port of the HTTP server; 0 picks a free one. */
    port,
    /** Address the HTTP server listens on. */
    host,
    /** What this process does: `api` serves requests, `worker` runs jobs and deliveries, `all` does both. */
    role: read.oneOf('ROLE', ['all', 'api', 'worker'] as const, 'all'),
    /** `development` shows the GraphQL schema to everyone, `production` only to signed-in callers. */
    mode: read.oneOf('NODE_ENV', ['development', 'production', 'test'] as const, 'development'),
    /** Folder for the embedded database, objects and generated secrets. */
    dataDir: resolve(read.text('DATA_DIR') ?? '.data'),
    /** PostgreSQL 15 or newer. If unset, the server runs its own under DATA_DIR. */
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    /** Maximum PostgreSQL connections in each of the two pools of this process; ingestion, jobs and notifications use up to 16 more. The embedded database has room for three such processes. */
    databasePool: read.integer('DATABASE_POOL', 16, 2, 500),
    /** How long a request waits for a connection, in milliseconds, before it gets a 503. */
    databasePatienceMs: read.integer('DATABASE_PATIENCE_MS', 3_000, 100, 600_000),
    /** Memory for decisions, in bytes: what is known about persons, and their answers. 64 MiB is enough for 50,000 persons, 512 MiB for a million. The least recently seen persons are evicted first. */
    decisionCacheBytes: read.integer('DECISION_CACHE_BYTES', 64 * MEBIBYTE, MEBIBYTE, 2 ** 34),
    /** Redis 7 or Valkey for counters and invalidation across processes. If unset, each process keeps its own. */
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:']),
    /** How long a request waits for Redis, in milliseconds, before its process continues without it. */
    redisPatienceMs: read.integer('REDIS_PATIENCE_MS', 50, 10, 60_000),
    /** ClickHouse HTTP interface that receives a copy of events and survey responses; the path `/name` is the database. If unset, nothing is copied. */
    clickhouseUrl: read.url('CLICKHOUSE_URL', ['http:', 'https:']),
    /** ClickHouse user, if the URL has none. */
    clickhouseUser: read.text('CLICKHOUSE_USER'),
    /** ClickHouse password, if the URL has none. */
    clickhousePassword: read.text('CLICKHOUSE_PASSWORD'),
    /** ClickHouse database, if the URL has none; only this installation may use it. `default` if neither names one. */
    clickhouseDatabase: read.text('CLICKHOUSE_DATABASE'),
    /** S3-compatible endpoint for objects. If unset, objects are stored under DATA_DIR/objects. */
    s3Endpoint: read.url('S3_ENDPOINT', ['http:', 'https:']),
    /** Address at which users reach the S3 endpoint, for download links. Defaults to S3_ENDPOINT. */
    s3PublicEndpoint: read.url('S3_PUBLIC_ENDPOINT', ['http:', 'https:']),
    /** Bucket for objects. */
    s3Bucket: read.text('S3_BUCKET') ?? 'quarterdeck',
    /** Region of the bucket. */
    s3Region: read.text('S3_REGION') ?? 'us-east-1',
    /** Access key for the bucket. */
    s3AccessKeyId: read.text('S3_ACCESS_KEY_ID'),
    /** Secret of the access key. */
    s3SecretAccessKey: read.text('S3_SECRET_ACCESS_KEY'),
    /** Secret that signs access tokens, at least 32 characters. If unset, one is generated and kept under DATA_DIR. */
    jwtSecret: read.secret('JWT_SECRET'),
    /** Previous secrets, comma-separated, each at least 32 characters. Tokens and links signed with them stay valid until they expire. */
    jwtPreviousSecrets: read.secrets('JWT_PREVIOUS_SECRETS'),
    /** Key set of an external issuer whose tokens are accepted for users with a known email. */
    jwksUrl: read.url('JWKS_URL', ['https:', 'http:']),
    /** The `iss` claim that tokens of the external issuer must have. */
    jwksIssuer: read.text('JWKS_ISSUER'),
    /** `off` stops owners of an organization from creating more organizations. */
    openOrganizations: read.oneOf('OPEN_ORGANIZATIONS', ['on', 'off'] as const, 'on') === 'on',
    /** Emails, comma-separated, of members of the first organization who, like its owners, can set plans and limits of all projects. */
    operators: read.emails('OPERATORS'),
    /** `off` runs every GraphQL query with graphql-js: same answers, but slower. */
    graphqlPlans: read.oneOf('GRAPHQL_PLANS', ['on', 'off'] as const, 'on') === 'on',
    /** `trusted` runs only stored GraphQL documents and the console's, except for operators; `any` runs all. */
    graphqlDocuments: read.oneOf('GRAPHQL_DOCUMENTS', ['any', 'trusted'] as const, 'any'),
    /** GraphQL cost that a token can spend per second in each process, with bursts of twenty times as much; 0 for no limit. */
    graphqlCostPerSecond: read.integer('GRAPHQL_COST_PER_SECOND', 1_000_000, 0, 1_000_000_000),
    /** Total time that the SQL statements of one GraphQL query may take, in milliseconds. */
    graphqlReadingMs: read.integer('GRAPHQL_READING_MS', 15_000, 100, 600_000),
    /** Maximum event streams that one project key can hold open per process. */
    streamsPerKey: read.integer('STREAMS_PER_KEY', 10_000, 1, 1_000_000),
    /** Maximum event streams that one access token can hold open per process. */
    streamsPerToken: read.integer('STREAMS_PER_TOKEN', 50, 1, 1_000_000),
    /** Maximum event streams that the keys and tokens of one organization can hold open per process. */
    streamsPerOrganization: read.integer('STREAMS_PER_ORGANIZATION', 20_000, 1, 1_000_000),
    /** Maximum request body in bytes, after decompression. */
    maxBodyBytes: read.integer('MAX_BODY_BYTES', 500 * MEBIBYTE, 1024, 2 ** 40),
    /** Maximum symbol file in bytes. */
    maxSymbolFileBytes: read.integer('MAX_SYMBOL_FILE_BYTES', 512 * MEBIBYTE, 1024, 2 ** 40),
    /** Time limit for one file from a symbol source, in milliseconds. */
    symbolSourceTimeoutMs: read.integer('SYMBOL_SOURCE_TIMEOUT_MS', 180_000, 100, 600_000),
    /** Private networks that webhooks and symbol sources may reach, as comma-separated CIDR ranges. If unset, none. */
    webhookAllowedNetworks: read.networks('WEBHOOK_ALLOWED_NETWORKS'),
    /** Proxies whose X-Forwarded-For is trusted, as comma-separated addresses or CIDR ranges. */
    trustedProxies: read.networks('TRUSTED_PROXIES'),
    /** Address at which users reach the server, for links. Defaults to `http://HOST:PORT`. */
    publicUrl: read.baseUrl('PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    /** `off` starts an empty database without the sample organization. */
    firstRun: read.oneOf('FIRST_RUN', ['on', 'off'] as const, 'on') === 'on',
    /** Bearer token for /metrics. If unset, only direct callers on this machine can read it. */
    metricsToken: read.bearer('METRICS_TOKEN'),
    /** Port on which a process with ROLE=worker serves /healthz, /readyz and /metrics. If unset, it serves none of them. Other roles serve them on PORT, whatever this says. */
    probePort: read.port('PROBE_PORT'),
    /** OpenTelemetry collector (OTLP over HTTP) that receives traces at its path /v1/traces. If unset, no traces are sent. */
    otelEndpoint: read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    /** Full address for traces, instead of OTEL_EXPORTER_OTLP_ENDPOINT. */
    otelTracesEndpoint: read.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http:', 'https:']),
    /** Headers for the collector, as comma-separated `name=value` pairs. */
    otelHeaders: read.headers('OTEL_EXPORTER_OTLP_HEADERS'),
    /** Name of this service in traces. */
    otelServiceName: read.text('OTEL_SERVICE_NAME') ?? 'quarterdeck',
    /** Additional attributes of this process in traces, as comma-separated `name=value` pairs. */
    otelResourceAttributes: read.pairs('OTEL_RESOURCE_ATTRIBUTES'),
    /** Which requests are traced: `always_on`, `always_off` or `traceidratio`. With the prefix `parentbased_`, the caller's own decision comes first. */
    otelSampler: read.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on'),
    /** For the ratio samplers: the fraction of requests to trace, 0 to 1. */
    otelSamplerArg: read.fraction('OTEL_TRACES_SAMPLER_ARG', 1),
    /** `true` turns tracing off, whatever else is set. */
    otelDisabled: read.oneOf('OTEL_SDK_DISABLED', ['true', 'false'] as const, 'false') === 'true',
    /** Least severe level to log: `trace`, `debug`, `info`, `warn`, `error`, or `silent` for none. */
    logLevel: read.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const, 'info'),
  };
}

/** What to tell an operator about settings that are valid, but probably not what was meant. */
export function doubtfulSettings({ publicUrl, trustedProxies }: Pick<Env, 'publicUrl' | 'trustedProxies'>): string[] {
  const doubts: string[] = [];
  if (publicUrl.startsWith('https:') && trustedProxies.length === 0)
    doubts.push(
      'PUBLIC_URL is https, so a proxy is in front of this server, but TRUSTED_PROXIES is empty: ' +
        "the proxy's address counts as the address of every client, in sign-in limits, rate limits and authorized addresses. " +
        'Set TRUSTED_PROXIES to the address of the proxy.',
    );
  const [, host, path] = /^https?:\/\/([^/]+)(\/.*)/i.exec(publicUrl) ?? [];
  if (path)
    doubts.push(
      `PUBLIC_URL has the path ${path}, but the console, the playground and the demo only work at the root of a host. ` +
        `Give the server a host name of its own instead of a path on ${host}.`,
    );
  return doubts;
}

/** Environment variables that are one typo away from an unset setting, also with a `QUARTERDECK_` prefix; each with that setting. */
export function misspeltSettings(source: Source = process.env): [given: string, meant: string][] {
  const known = settingNames();
  const unset = known.filter((name) => !source[name]);
  return Object.keys(source).flatMap((given): [string, string][] => {
    if (known.includes(given) || isServiceLink(given, source[given])) return [];
    const meant = unset.find((name) => isOneSlipFrom(name, given.replace(/^QUARTERDECK_/, '')));
    return meant === undefined ? [] : [[given, meant]];
  });
}

/** The settings that {@link readEnv} asks for. */
function settingNames(): string[] {
  const names: string[] = [];
  readEnv(new Proxy({}, { get: (_, name: string) => void names.push(name) }));
  return names;
}

/** What Kubernetes tells a container about neighboring services, even one called `quarterdeck` or `prob`. */
function isServiceLink(name: string, value = ''): boolean {
  return /_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT_\d+_/.test(name) || (name.endsWith('_PORT') && value.includes('://'));
}

/** Whether two words differ by at most one extra, missing or wrong letter, or two swapped ones. */
function isOneSlipFrom(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [a, b] = [one.slice(at), other.slice(at)];
  const isTurned = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isTurned || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}

/** ipaddr.js alone would also accept short forms, `10.1` for 10.0.0.1, and zones, which no network has. */
function isNetwork(text: string): boolean {
  const [literal = '', bits] = text.split('/');
  if (isIP(literal) === 0 || literal.includes('%')) return false;
  return bits === undefined || ipaddr.isValidCIDR(text);
}

function longEnough(name: string, value: string): string {
  if (value.length < LEAST_SECRET_LENGTH)
    throw new SettingError(`${name} must have ${LEAST_SECRET_LENGTH} characters or more, not ${value.length}.`);
  return value;
}

export type Env = ReturnType<typeof readEnv>;
