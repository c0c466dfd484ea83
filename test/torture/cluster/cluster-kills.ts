import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Cluster, MEMBERS, type Member } from '../../harness/cluster.js';
import { type SuspiciousReceiver, suspiciousReceiver } from '../../support/receivers/suspicious-receiver.js';
import { acknowledgedText, serverErrors, type WriteFindings, Writers } from '../acknowledged-writes.js';
import { statusesText } from '../ingest/acknowledged-batches.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { writeTarget } from '../torture-project.js';
import { deliverAll } from '../webhooks/deliver-all.js';
import { subscribeTo } from '../webhooks/webhook-subscription.js';
import type { WriteTarget } from '../write-kinds.js';

const LANES = 2;
const LIFE_MS = 400;
const KINDS_HEARD = ['config.item.changed', 'switch.flag.halted', 'pulse.response.submitted'];

interface Phase {
  promise: string;
  members: readonly Member[];
  signal: 'SIGKILL' | 'SIGTERM';
  /** How many requests may go unanswered each time a process ends. */
  unansweredEach: number;
}

/**
 * A lane has one request in flight, and may send one more on a connection that the proxy does not yet know is closed.
 */
const PHASES: readonly Phase[] = [
  {
    promise: 'an API process of a cluster is killed: no write lost, no 5xx',
    members: ['api-1', 'api-2'],
    signal: 'SIGKILL',
    unansweredEach: 8 * LANES,
  },
  { promise: 'its worker is killed: nobody notices', members: ['worker'], signal: 'SIGKILL', unansweredEach: 0 },
  {
    promise: 'its processes are restarted one after the other: no write lost, no 5xx, exit 0',
    members: MEMBERS,
    signal: 'SIGTERM',
    unansweredEach: 8 * LANES,
  },
];

/** Ends each process in a cluster `count` times under load and restarts it. Checks that every change is delivered. */
export async function endMembers(torture: TortureContext): Promise<TortureRow[]> {
  const databaseUrl = await torture.createDatabase();
  const database = new pg.Client({ connectionString: databaseUrl });
  const receiver = await suspiciousReceiver({ failing: 0, resetting: 0, slow: 0 });
  const cluster = await Cluster.start({ databaseUrl, env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
  try {
    await database.connect();
    const target = await writeTarget(cluster.member('api-1'), cluster.url);
    receiver.secrets.push(await subscribeTo(target, receiver.url, KINDS_HEARD));
    const before = new Set(await storedEvents(database));
    const rows: TortureRow[] = [];
    for (const phase of PHASES) rows.push(await endThem(torture, cluster, phase, target, database));
    rows.push(await heardRow(database, receiver, before));
    return rows;
  } finally {
    await cluster.close();
    await receiver.close();
    await database.end();
  }
}

async function endThem(
  torture: TortureContext,
  cluster: Cluster,
  { promise, members, signal, unansweredEach }: Phase,
  target: WriteTarget,
  database: pg.Client,
): Promise<TortureRow> {
  const writers = await Writers.start(target, { lanes: LANES });
  const badExits: string[] = [];
  try {
    for (let round = 0; round < torture.count; round++) {
      for (const member of members) {
        await writers.nextOfEachKind();
        await sleep(Math.random() * LIFE_MS);
        const code = await cluster.member(member).end(signal);
        if (code !== (signal === 'SIGKILL' ? 'SIGKILL' : 0)) badExits.push(`${member}: ${code}`);
        await writers.nextOfEachKind();
        await cluster.startMember(member);
      }
    }
  } finally {
    await writers.stop();
  }
  const findings = await writers.findings(database);
  const ends = torture.count * members.length;
  return {
    promise,
    seen: `${ends} times: ${textOf(findings)}${badExits.length > 0 ? `; ${badExits.join(', ')}` : ''}`,
    held:
      findings.lost.length === 0 &&
      serverErrors(findings) === 0 &&
      writers.answers(0) <= unansweredEach * ends &&
      badExits.length === 0,
  };
}

function textOf(findings: WriteFindings): string {
  const { lost, statuses, slowestMs } = findings;
  return `${acknowledgedText(findings)} acknowledged, ${lost.length} lost, slowest ${(slowestMs / 1000).toFixed(1)} s (${statusesText(statuses)})`;
}

async function storedEvents(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>('select id from event_log where kind = any($1)', [KINDS_HEARD]);
  return rows.map(({ id }) => id);
}

async function heardRow(
  database: pg.Client,
  receiver: SuspiciousReceiver,
  before: ReadonlySet<string>,
): Promise<TortureRow> {
  await deliverAll(database);
  const stored = new Set((await storedEvents(database)).filter((id) => !before.has(id)));
  const unheard = [...stored].filter((id) => !receiver.heard.get(id)?.accepted).length;
  const phantom = [...receiver.heard.keys()].filter((id) => !stored.has(id)).length;
  const repeats = [...receiver.heard.values()].reduce((sum, { times }) => sum + times - 1, 0);
  return {
    promise: 'webhooks of the cluster are at least once, never phantom',
    seen: `${stored.size} events, ${unheard} unheard, ${phantom} phantom, ${repeats} repeats, ${receiver.badSignatures} bad signatures`,
    held: unheard === 0 && phantom === 0 && receiver.badSignatures === 0 && stored.size > 0,
  };
}
