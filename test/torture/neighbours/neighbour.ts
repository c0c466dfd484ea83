import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryMib, resetPeakMemory } from '../../harness/cpu.js';
import { Client } from '../../support/client.js';
import type { WriteTarget } from '../write-kinds.js';

const HANDSHAKES_A_SECOND = 40;
const HALTS_A_SECOND = 4;
/** Each is halted every two seconds and resumed in between. */
const FLAGS = 8;
const SAMPLE_EVERY_MS = 100;

/** How an innocent tenant was served, and how much memory the server used meanwhile. */
export interface NeighbourSeen {
  handshakes: Latencies;
  halts: Latencies;
  /** Requests that were not answered as they should be. */
  failed: number;
  /** The peak memory of the server's process, in MiB. */
  peakMib: number;
}

export interface Latencies {
  count: number;
  p99Ms: number;
  longestMs: number;
}

/**
 * Sends handshakes and halts at a steady rate for the given number of seconds. Each is timed from when it was due, so
 * that a stalled server does not get fewer requests.
 */
export async function watchNeighbour(
  { target, pid }: { target: WriteTarget; pid: number },
  seconds: number,
): Promise<NeighbourSeen> {
  const flags = await Promise.all(Array.from({ length: FLAGS }, () => buildFlag(target)));
  let turn = 0;
  const handshake = () => {
    const key = target.keys[turn++ % target.keys.length] as string;
    return new Client(target.url).withKey(key).get(`/api/v1/handshake?distinct_id=user-${turn}&platform=ios`);
  };
  resetPeakMemory(pid);
  let peakMib = 0;
  const sampling = setInterval(() => {
    peakMib = Math.max(peakMib, memoryMib(pid).peak);
  }, SAMPLE_EVERY_MS);
  try {
    const [handshakes, halts] = await Promise.all([
      steadily(HANDSHAKES_A_SECOND, seconds, async () => (await handshake()).status === 200),
      steadily(HALTS_A_SECOND, seconds, () => halt(target, flags[turn++ % FLAGS] as Flag)),
    ]);
    const failed = handshakes.failed + halts.failed;
    return { handshakes, halts, failed, peakMib: Math.max(peakMib, memoryMib(pid).peak) };
  } finally {
    clearInterval(sampling);
  }
}

interface Flag {
  id: string;
  key: string;
}

async function buildFlag({ url, token, projectId }: WriteTarget): Promise<Flag> {
  const { createFlag } = await new Client(url)
    .withToken(token)
    .graphql<{ createFlag: Flag }>('mutation($input: CreateFlagInput!) { createFlag(input: $input) { id key } }', {
      input: { projectId, environment: 'live', key: `neighbour.${randomUUID()}`, rules: [{ variant: 'on' }] },
    });
  return createFlag;
}

/** Resolves once the halt is answered; the flag is resumed after that. */
async function halt({ url, token, keys }: WriteTarget, { id, key }: Flag): Promise<boolean> {
  const sender = new Client(url).withKey(keys[0] as string);
  const { status } = await sender.post('/api/switch/halt-webhook', { flag_key: key, reason: randomUUID() });
  const query = 'mutation($input: ResumeFlagInput!) { resumeFlag(input: $input) { id } }';
  void new Client(url)
    .withToken(token)
    .post('/graphql', { query, variables: { input: { flagId: id } } })
    .catch(() => undefined);
  return status === 200;
}

/** Times requests at a steady rate, each from when it was due. */
export async function steadily(
  perSecond: number,
  seconds: number,
  request: () => Promise<boolean>,
): Promise<Latencies & { failed: number }> {
  const took: number[] = [];
  let failed = 0;
  const underWay: Promise<void>[] = [];
  const begun = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = begun + (n * 1_000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
    underWay.push(
      request()
        .catch(() => false)
        .then((good) => {
          took.push(performance.now() - due);
          if (!good) failed += 1;
        }),
    );
  }
  await Promise.all(underWay);
  took.sort((one, other) => one - other);
  const p99Ms = took[Math.ceil(took.length * 0.99) - 1] ?? 0;
  return { count: took.length, p99Ms, longestMs: took.at(-1) ?? 0, failed };
}
