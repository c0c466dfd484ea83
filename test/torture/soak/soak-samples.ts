import { readdirSync } from 'node:fs';
import type pg from 'pg';
import { type Cluster, MEMBERS, type Member } from '../../harness/cluster.js';
import { memoryMib } from '../../harness/cpu.js';
import { median } from '../../harness/rounds.js';

/** The state of one process at one moment. Backlogs are the installation's, as each process reports them. */
export interface ProcessSample {
  rssMib: number;
  heapMib: number;
  files: number;
  pool: number;
  loopP99Ms: number;
}

/** One moment of the soak. */
export interface SoakSample {
  seconds: number;
  members: Record<Member, ProcessSample>;
  databaseConnections: number;
  undispatched: number;
  deliveries: number;
  jobs: number;
  buffered: number;
}

const MIB = 1024 * 1024;

/** Samples every process in the cluster through /proc and /metrics, and the database's own count of connections. */
export async function takeSample(cluster: Cluster, database: pg.Client, seconds: number): Promise<SoakSample> {
  const texts = await Promise.all(
    MEMBERS.map(async (member) => (await fetch(`${cluster.member(member).url}/metrics`)).text()),
  );
  const members = MEMBERS.map((member, at) => {
    const { pid } = cluster.member(member);
    const text = texts[at] as string;
    const sample: ProcessSample = {
      rssMib: memoryMib(pid).now,
      heapMib: metric(text, 'nodejs_heap_size_used_bytes') / MIB,
      files: readdirSync(`/proc/${pid}/fd`).length,
      pool: metric(text, 'database_connections{state="open"}'),
      loopP99Ms: metric(text, 'nodejs_eventloop_lag_p99_seconds') * 1_000,
    };
    return [member, sample] as const;
  });
  const { rows } = await database.query<{ n: number }>(
    'select count(*)::int as n from pg_stat_activity where datname = current_database()',
  );
  const backlog = texts[0] as string;
  return {
    seconds,
    members: Object.fromEntries(members) as Record<Member, ProcessSample>,
    databaseConnections: rows[0]?.n ?? Number.NaN,
    undispatched: metric(backlog, 'events_undispatched'),
    deliveries: metric(backlog, 'webhook_deliveries_waiting'),
    jobs: metric(backlog, 'jobs{state="created"}') + metric(backlog, 'jobs{state="retry"}'),
    buffered: texts.reduce((sum, text) => sum + metric(text, 'ingest_buffered'), 0),
  };
}

/** The value of a metric; a labelled one with nothing counted is 0. */
function metric(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`quarterdeck_${name} `));
  return line ? Number(line.slice(line.lastIndexOf(' ') + 1)) : 0;
}

/**
 * How a figure developed over the two halves of the run after its warm-up: its medians, or, for the heap, what is left
 * after collections and, for memory, its peaks.
 */
export interface Course {
  what: string;
  before: number;
  after: number;
  /** The maximum for `after`. */
  bound: number;
}

/** May grow by an eighth, or by a fixed amount if that is more. */
const GROWTH = 1.125;
const lowest = (values: readonly number[]): number => Math.min(...values);
const highest = (values: readonly number[]): number => Math.max(...values);
const BOUNDS: readonly { figure: keyof ProcessSample; typical: typeof median; slack: number }[] = [
  { figure: 'heapMib', typical: lowest, slack: 32 },
  { figure: 'files', typical: median, slack: 24 },
  { figure: 'pool', typical: median, slack: 4 },
];
const MORE_CONNECTIONS = 10;
const LOOP_P99_MS = 100;
/**
 * V8 gives memory back only now and then, so its lows are chance. Its peaks must not rise, nor come near a container's
 * usual limit.
 */
const PEAK_GROWTH_MIB = 48;
const PEAK_RSS_MIB = 512;
const BACKLOGS: readonly ('undispatched' | 'deliveries' | 'jobs' | 'buffered')[] = [
  'undispatched',
  'deliveries',
  'jobs',
  'buffered',
];
/** A few seconds' worth of load. */
const BACKLOG = 200;

/** Every figure of the run, excluding the first quarter as warm-up. */
export function courses(samples: readonly SoakSample[]): Course[] {
  const warm = samples.slice(Math.floor(samples.length / 4));
  const half = Math.ceil(warm.length / 2);
  const [early, late] = [warm.slice(0, half), warm.slice(half)];
  const course = (
    what: string,
    read: (sample: SoakSample) => number,
    boundOf: (before: number) => number,
    typical = median,
  ): Course => {
    const [before, after] = [typical(early.map(read)), typical(late.map(read))];
    return { what, before, after, bound: boundOf(before) };
  };
  return [
    ...MEMBERS.flatMap((member) => [
      ...BOUNDS.map(({ figure, typical, slack }) =>
        course(
          `${member} ${figure}`,
          (sample) => sample.members[member][figure],
          (before) => Math.max(before * GROWTH, before + slack),
          typical,
        ),
      ),
      course(
        `${member} peakRssMib`,
        (sample) => sample.members[member].rssMib,
        (before) => Math.min(PEAK_RSS_MIB, Math.max(before * GROWTH, before + PEAK_GROWTH_MIB)),
        highest,
      ),
      course(
        `${member} loopP99Ms`,
        (sample) => sample.members[member].loopP99Ms,
        () => LOOP_P99_MS,
      ),
    ]),
    course(
      'databaseConnections',
      (sample) => sample.databaseConnections,
      (before) => before + MORE_CONNECTIONS,
    ),
    ...BACKLOGS.map((backlog) =>
      course(
        backlog,
        (sample) => sample[backlog],
        () => BACKLOG,
      ),
    ),
  ];
}
