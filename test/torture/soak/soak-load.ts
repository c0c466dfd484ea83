import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { COHORTS, fillProject } from '../../harness/decision-project.js';
import { Client, type RestAnswer } from '../../support/client.js';
import { uploadSymbols } from '../../support/symbols/symbol-client.js';
import { statusOf, WRITE_KINDS, type WriteTarget } from '../write-kinds.js';

/** A request sent at a fixed rate per second, whatever becomes of the earlier ones. */
interface Stream {
  name: string;
  perSecond: number;
  /** Requests are skipped, and counted, while this many are in flight. */
  mostUnderWay: number;
  request(): Promise<number>;
}

const QUERIES = [
  'query($p: ID!) { configItems(projectId: $p, environment: live, first: 20) { nodes { id key currentVersion } } }',
  'query($s: ID!) { surveyResponses(surveyId: $s, first: 20) { nodes { id score } } }',
  'query($p: ID!) { flags(projectId: $p, environment: live, first: 20) { nodes { id key } } }',
  'query($p: ID!) { crashIssues(projectId: $p, environment: live, first: 20) { nodes { id title } } }',
];

/** Stored persons who ask for their decisions repeatedly, each in turn. */
export const FLEET = 20_000;
const PERSONS_A_BATCH = 2_500;

/** A steady rate of every kind of request that an installation receives. */
export class SoakLoad {
  /** Answers by stream and status; 0 for no answer. */
  readonly answers = new Map<string, Map<number, number>>();
  leftOut = 0;
  private stopping = false;
  private readonly running: Promise<void>[] = [];

  private constructor(streams: readonly Stream[]) {
    for (const stream of streams) this.running.push(this.run(stream));
  }

  static async start(target: WriteTarget): Promise<SoakLoad> {
    const owner = new Client(target.url).withToken(target.token);
    await fillProject(owner, target.projectId, COHORTS.length);
    await storeFleet(new Client(target.url).withKey(target.keys[0] as string));
    let turn = 0;
    let person = 0;
    const keyed = () => new Client(target.url).withKey(target.keys[turn++ % target.keys.length] as string);
    const etags = new Map<string, string>();
    const cached = async (path: string): Promise<number> => {
      const answer = await keyed().get(path, { 'if-none-match': etags.get(path) ?? '' });
      if (answer.status === 200) etags.set(path, answer.headers.get('etag') ?? '');
      return answer.status;
    };
    const writes: [keyof typeof WRITE_KINDS, number][] = [
      ['batch', 20],
      ['survey response', 10],
      ['config change', 2],
      ['halt', 1],
    ];
    const written = writes.map(async ([kind, perSecond]): Promise<Stream> => {
      const lane = await WRITE_KINDS[kind].open(target);
      return {
        name: kind,
        perSecond,
        mostUnderWay: kind === 'halt' ? 1 : 50,
        request: async () => (await lane()).status,
      };
    });
    const often = { mostUnderWay: 50 };
    return new SoakLoad([
      ...(await Promise.all(written)),
      { ...often, name: 'handshake', perSecond: 10, request: () => statusOf(keyed().get(handshakeOf(randomUUID()))) },
      { ...often, name: 'fleet', perSecond: 100, request: () => cached(handshakeOf(`user-${person++ % FLEET}`)) },
      { ...often, name: 'known survey list', perSecond: 10, request: () => cached('/api/pulse/surveys') },
      {
        ...often,
        name: 'crash event',
        perSecond: 2,
        request: () => statusOf(keyed().post('/api/catch/events', crash())),
      },
      { ...often, name: 'symbol upload', perSecond: 0.2, request: () => statusOf(upload(owner, target.projectId)) },
      { ...often, name: 'GraphQL query', perSecond: 5, request: () => statusOf(ask(owner, target, turn)) },
    ]);
  }

  /** The number of answers that satisfy `wanted`. */
  count(wanted: (status: number) => boolean = () => true): number {
    return [...this.answers.values()].reduce((sum, statuses) => sum + countOf(statuses, wanted), 0);
  }

  /** The number of answers to the fleet. */
  fleetCount(): number {
    return countOf(this.answers.get('fleet') ?? new Map(), () => true);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
  }

  private async run({ name, perSecond, mostUnderWay, request }: Stream): Promise<void> {
    const statuses = new Map<number, number>();
    this.answers.set(name, statuses);
    const underWay = new Set<Promise<void>>();
    for (let due = performance.now(); !this.stopping; due += 1_000 / perSecond) {
      await sleep(Math.max(0, due - performance.now()));
      if (underWay.size >= mostUnderWay) {
        this.leftOut += 1;
        continue;
      }
      const one: Promise<void> = request()
        .catch(() => 0)
        .then((status) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          underWay.delete(one);
        });
      underWay.add(one);
    }
    await Promise.all(underWay);
  }
}

function countOf(statuses: ReadonlyMap<number, number>, wanted: (status: number) => boolean): number {
  return [...statuses].reduce((sum, [status, count]) => sum + (wanted(status) ? count : 0), 0);
}

async function storeFleet(ingestion: Client): Promise<void> {
  for (let from = 0; from < FLEET; from += PERSONS_A_BATCH) {
    const operations = Array.from({ length: PERSONS_A_BATCH }, (_, at) => ({
      type: 'people',
      payload: { distinct_id: `user-${from + at}`, properties: { group: COHORTS[(from + at) % COHORTS.length] } },
    }));
    const { status, text } = await ingestion.post('/api/v1/batch', { operations });
    if (status !== 200) throw new Error(`a batch was answered ${status}: ${text}`);
  }
}

const handshakeOf = (person: string): string =>
  `/api/v1/handshake?distinct_id=${person}&platform=ios&app_version=2.4.0`;

function crash(): object {
  const frames = [
    { function: 'a', file: 'app.js', line: 1, column: 1 + Math.floor(Math.random() * 100), in_app: true },
  ];
  const exception = { type: 'TypeError', value: 'x is not a function', frames };
  return { event_id: randomUUID(), platform: 'javascript', level: 'error', release: '1.0', exception };
}

function upload(owner: Client, projectId: string): Promise<RestAnswer> {
  const sources = [randomBytes(8).toString('hex')];
  const bytes = JSON.stringify({ version: 3, sources, names: ['real'], mappings: 'AAAAA,CAAAA,CAAAA' });
  const fields = { kind: 'js_sourcemap', release: '1.0', project_id: projectId };
  return uploadSymbols(owner, { name: 'app.js.map', bytes }, fields);
}

function ask(owner: Client, { projectId, surveyId }: WriteTarget, turn: number): Promise<RestAnswer> {
  return owner.post('/graphql', { query: QUERIES[turn % QUERIES.length], variables: { p: projectId, s: surveyId } });
}
