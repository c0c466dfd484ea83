import { type ServerProcess, startServerProcess } from '../harness/server-process.js';
import { Client, type RestAnswer } from '../support/client.js';

/** A server process with its first-run sample, as its users see it. */
export interface RunningServer {
  process: ServerProcess;
  projectId: string;
  /** Calls with the owner's token. */
  owner: Client;
  /** Calls with a live key. */
  live: Client;
  liveKey: string;
}

/** Starts a server process with the given settings, and signs in to what its first start created. */
export async function startRunningServer(env: Record<string, string>, dataDir?: string): Promise<RunningServer> {
  const process = await startServerProcess({ env, ...(dataDir ? { dataDir } : {}) });
  const { project_id: projectId, tokens, api_keys: keys } = await process.firstRun();
  const anonymous = new Client(process.url);
  return {
    process,
    projectId,
    owner: anonymous.withToken(tokens.owner),
    live: anonymous.withKey(keys.live),
    liveKey: keys.live,
  };
}

/** Another live key of the project, with its own rate limit. */
export async function newKey(server: RunningServer): Promise<{ id: string; secret: string }> {
  const { createApiKey } = await server.owner.graphql<{ createApiKey: { secret: string; key: { id: string } } }>(
    'mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret key { id } } }',
    { input: { projectId: server.projectId, environment: 'live' } },
  );
  return { id: createApiKey.key.id, secret: createApiKey.secret };
}

/** Stores one event whose property `n` is its number. */
export function track(client: Client, n: number): Promise<RestAnswer> {
  const payload = { event_name: 'degradation', distinct_id: `person-${n}`, properties: { n } };
  return client.post('/api/v1/batch', { operations: [{ type: 'track', payload }] });
}

/**
 * The results of a series of calls: how often each status occurred (0 is no answer), and the milliseconds of each call,
 * ascending.
 */
export interface Series {
  statuses: Record<number, number>;
  ms: number[];
}

/** Makes calls one after another until `done`, which is given the number of calls so far, returns true. */
export async function callUntil(
  call: (n: number) => Promise<RestAnswer>,
  done: (n: number) => boolean,
): Promise<Series> {
  const statuses: Record<number, number> = {};
  const ms: number[] = [];
  for (let n = 0; !done(n); n += 1) {
    const begun = performance.now();
    const status = await call(n).then(
      (answer) => answer.status,
      () => 0,
    );
    ms.push(performance.now() - begun);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return { statuses, ms: ms.sort((a, b) => a - b) };
}

/** The status of /readyz and what it reports as degraded. */
export async function readiness(server: RunningServer): Promise<string> {
  const answer = await new Client(server.process.url).get('/readyz');
  const { degraded = [] } = answer.body as { degraded?: string[] };
  return `${answer.status} ${degraded.join()}`.trim();
}
