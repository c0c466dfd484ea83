import { Client } from '../../support/client.js';
import { until } from '../../support/until.js';
import type { WriteTarget } from '../../torture/write-kinds.js';
import { callUntil, newKey, type RunningServer, readiness, track } from '../running-server.js';

type Strike = () => Promise<unknown>;

/** Waits until `/readyz` answers as expected, such as `200` or `200 redis`. */
export async function isReady(server: RunningServer, expected: string): Promise<void> {
  await until(`/readyz: ${expected}`, async () => (await readiness(server)) === expected);
}

/** How much longer than usual the slowest of 160 calls takes if Redis is struck after 20 of them, and all statuses. */
export async function addedBy(
  strike: Strike,
  server: RunningServer,
): Promise<{ addedMs: number; statuses: Record<number, number> }> {
  const { secret } = await newKey(server);
  const live = server.live.withKey(secret);
  const call = (n: number) => track(live, n);
  const usual = await callUntil(call, (n) => n === 60);
  const struck = await callUntil(
    (n) => {
      if (n === 20) void strike();
      return call(n);
    },
    (n) => n === 160,
  );
  const statuses = { ...usual.statuses };
  for (const [status, n] of Object.entries(struck.statuses))
    statuses[Number(status)] = (statuses[Number(status)] ?? 0) + n;
  return { addedMs: (struck.ms.at(-1) ?? 0) - (usual.ms.at(-1) ?? 0), statuses };
}

/**
 * Sets the month's response quota so that `left` remain, makes 160 submissions (or the given number) to both servers
 * while Redis is struck again and again, and returns how often each status occurred.
 */
export async function quotaOf(
  left: number,
  servers: readonly [RunningServer, RunningServer],
  { projectId, surveyId, keys }: WriteTarget,
  strikes: readonly Strike[],
  submissions = 160,
): Promise<Record<number, number>> {
  const [{ owner }] = servers;
  const { usage } = await owner.graphql<{ usage: { meters: { meter: string; current: number }[] } }>(
    'query($id: ID!) { usage(projectId: $id) { meters { meter current } } }',
    { id: projectId },
  );
  const used = usage.meters.find(({ meter }) => meter === 'responses')?.current ?? 0;
  await owner.graphql('mutation($input: SetProjectPlanInput!) { setProjectPlan(input: $input) { plan } }', {
    input: { projectId, plan: 'enterprise', overrides: { responses: used + left } },
  });
  const clients = servers.map(({ process }) => new Client(process.url).withKey(keys[0] as string));
  const statuses: Record<number, number> = {};
  let next = 0;
  const lane = async (): Promise<void> => {
    const quarter = submissions / 4;
    for (let n = next++; n < submissions; n = next++) {
      if (n % quarter === quarter / 2) await strikes[Math.floor(n / quarter)]?.();
      const response = { survey_id: surveyId, answers: { nps: 9 } };
      const { status } = await (clients[n % 2] as Client).post('/api/pulse/responses', response);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return statuses;
}
