import { startBareKoa } from '../harness/bare-koa.js';
import { cpuMicrosOfTree } from '../harness/cpu.js';
import { type LoadRequest, sendLoad } from '../harness/load.js';
import { runPgbench } from '../harness/pgbench.js';
import { alternate, median } from '../harness/rounds.js';
import type { ServerProcess } from '../harness/server-process.js';
import { Client } from '../support/client.js';
import { type BenchContext, type BenchRow, row } from './bench.js';

export const name = 'pulse';

const CONNECTIONS = 64;
const LIST = '/api/pulse/surveys';
/** The number of submissions that share one commit in the product when this many connections send them. */
const GROUP = CONNECTIONS;
const PLENTY = 1_000_000_000;
const ANSWERS = { nps: 9, stars: 4, why: 'It does what it says', colour: 'red', tags: ['red', 'blue'], again: true };
const QUESTIONS = [
  { id: 'nps', kind: 'nps', prompt: 'How likely?', required: true },
  { id: 'stars', kind: 'rating', prompt: 'How many stars?' },
  { id: 'why', kind: 'text', prompt: 'Why?' },
  { id: 'colour', kind: 'select', prompt: 'Which colour?', options: ['red', 'blue'] },
  { id: 'tags', kind: 'multiselect', prompt: 'Which ones?', options: ['red', 'blue'] },
  { id: 'again', kind: 'boolean', prompt: 'Again?' },
];

interface Stage {
  readonly bench: BenchContext;
  readonly server: ServerProcess;
  readonly databaseUrl: string;
  readonly headers: Record<string, string>;
  readonly client: Client;
  readonly projectId: string;
  readonly surveyId: string;
}

/** Survey list 304, bundle and submission, each compared with its limit (the goals are in the performance table). */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const stage = await openStage(bench);
  return [await listRow(stage), await bundleRow(stage), ...(await submissionRows(stage))];
}

async function openStage(bench: BenchContext): Promise<Stage> {
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { DATABASE_URL: databaseUrl, ROLE: 'api' } });
  const { project_id: projectId, tokens, api_keys: keys } = await server.firstRun();
  const owner = new Client(server.url).withToken(tokens.owner);
  await owner.graphql('mutation($i: SetProjectPlanInput!) { setProjectPlan(input: $i) { plan } }', {
    i: { projectId, plan: 'hobby', overrides: { responses: PLENTY } },
  });
  let surveyId = '';
  for (let index = 0; index < 10; index++) {
    const input = {
      projectId,
      name: `Survey ${index}`,
      questions: QUESTIONS,
      targetingRules: [{ predicate: 'event:paid' }],
    };
    const made = await owner.graphql<{ createSurvey: { id: string } }>(
      'mutation($input: CreateSurveyInput!) { createSurvey(input: $input) { id } }',
      { input },
    );
    surveyId = made.createSurvey.id;
    await owner.graphql('mutation($i: IdInput!) { publishSurvey(input: $i) { id } }', { i: { id: surveyId } });
  }
  const client = new Client(server.url).withKey(keys.live);
  return { bench, server, databaseUrl, headers: { 'x-api-key': keys.live }, client, projectId, surveyId };
}

/** Requests per second of one side, and the CPU time that its process used for each. */
async function measured(stage: Stage, url: string, pid: number, request: LoadRequest, status: number) {
  const before = cpuMicrosOfTree(pid);
  const count = await sendLoad({
    url,
    requests: [request],
    connections: CONNECTIONS,
    seconds: stage.bench.seconds,
    warmUpSeconds: 0,
    expectedStatuses: [status],
  });
  return { ...count, serverMicros: (cpuMicrosOfTree(pid) - before) / count.requests };
}

async function besideKoa(stage: Stage, path: string, request: LoadRequest, goal: number): Promise<BenchRow> {
  const sample = await stage.client.get(request.path, request.headers);
  const shown = ['content-type', 'etag', 'cache-control'].flatMap((header) => {
    const value = sample.headers.get(header);
    return value === null ? [] : [[header, value] as const];
  });
  const { status } = sample;
  const koa = await startBareKoa({
    status,
    headers: Object.fromEntries(shown),
    ...(sample.text === '' ? {} : { body: sample.text }),
  });
  try {
    const sides = await alternate(stage.bench.rounds, {
      product: () => measured(stage, stage.server.url, stage.server.pid, request, status),
      koa: () => measured(stage, koa.url, koa.pid, request, status),
    });
    return row({
      path: `${path}, ${CONNECTIONS} connections`,
      unit: 'requests/s',
      values: sides.product.map(({ perSecond }) => perSecond),
      peer: { what: 'bare Koa', values: sides.koa.map(({ perSecond }) => perSecond) },
      goal: { atLeast: goal },
      more: {
        'p99 ms': median(sides.product.map(({ p99Ms }) => p99Ms)),
        'server µs/op': median(sides.product.map(({ serverMicros }) => serverMicros)),
        'Koa µs/op': median(sides.koa.map(({ serverMicros }) => serverMicros)),
      },
    });
  } finally {
    koa.stop();
  }
}

async function listRow(stage: Stage): Promise<BenchRow> {
  const etag = (await stage.client.get(LIST)).headers.get('etag') ?? '';
  const headers = { ...stage.headers, 'if-none-match': etag };
  return besideKoa(stage, 'survey list 304', { path: LIST, headers }, 0.8);
}

const bundleRow = (stage: Stage): Promise<BenchRow> =>
  besideKoa(stage, 'survey bundle', { path: `${LIST}/${stage.surveyId}`, headers: stage.headers }, 0.5);

/**
 * Writes this many submissions in one statement. This is the limit: one client after another, with no network but the
 * database's.
 */
function submissionScript({ projectId, surveyId }: Stage): string {
  const answers = Object.entries(ANSWERS).map(([id, value]) => `('${id}', '${JSON.stringify(value)}'::jsonb)`);
  return `with r as materialized (
  select 'bench_' || gen_random_uuid() as id from generate_series(1, ${GROUP})
), quota as (
  update quota_usage set used = used + ${GROUP} where project_id = '${projectId}' and meter = 'responses'
     and month = date_trunc('month', now() at time zone 'UTC')::date and used < ${PLENTY}
), response as (
  insert into survey_response (id, project_id, survey_id, survey_version, environment, score, external_id, context, submitted_at, created_at)
  select id, '${projectId}', '${surveyId}', 1, 'live', 9, id, '{"release_version":"1.2"}', now(), now() from r
), answer as (
  insert into survey_answer (response_id, question_id, value) select r.id, a.question_id, a.value
    from r cross join (values ${answers.join(', ')}) as a(question_id, value)
), partial as (
  insert into survey_partial (survey_id, environment, external_id, id, answers, context, expires_at, updated_at, submitted_at)
  select '${surveyId}', 'live', id, id, '{}', '{}', now(), now(), now() from r
  on conflict (survey_id, environment, external_id) do update set answers = '{}', submitted_at = now()
)
insert into event_log (id, kind, organization_id, project_id, environment, object_type, object_id, actor_id, actor_email, request_id, data, created_at)
select id, 'pulse.response.submitted', '${projectId}', '${projectId}', 'live', 'survey_response', id, 'bench', '', id,
  jsonb_build_object('response_id', id, 'survey_id', '${surveyId}', 'score', 9), now() from r;
`;
}

async function submissionRows(stage: Stage): Promise<BenchRow[]> {
  const { bench, server, databaseUrl } = stage;
  const request: LoadRequest = {
    method: 'POST',
    path: '/api/pulse/responses',
    headers: { ...stage.headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      survey_id: stage.surveyId,
      respondent: { external_id: '{{n}}' },
      context: { release_version: '1.2' },
      answers: ANSWERS,
    }),
  };
  const script = submissionScript(stage);
  const product = async () => {
    const before = cpuMicrosOfTree(bench.databasePid);
    const count = await measured(stage, server.url, server.pid, request, 201);
    return { ...count, databaseMicros: (cpuMicrosOfTree(bench.databasePid) - before) / count.requests };
  };
  const pgbench = async () => {
    const perSecond = await runPgbench({ databaseUrl, script, clients: 2, seconds: bench.seconds });
    return perSecond === null ? null : perSecond * GROUP;
  };
  const sides = await alternate(bench.rounds, { product, pgbench } as Record<
    'product' | 'pgbench',
    () => Promise<unknown>
  >);
  const submitted = sides.product as Awaited<ReturnType<typeof product>>[];
  const values = submitted.map(({ perSecond }) => perSecond);
  const peers = (sides.pgbench as (number | null)[]).filter((value) => value !== null);
  const path = `survey submission, 6 answers, ${CONNECTIONS} connections`;
  const more = {
    'p99 ms': median(submitted.map(({ p99Ms }) => p99Ms)),
    'server µs/op': median(submitted.map(({ serverMicros }) => serverMicros)),
    'database µs/op': median(submitted.map(({ databaseMicros }) => databaseMicros)),
    'generator µs/op': median(submitted.map(({ generatorMicros }) => generatorMicros)),
  };
  const alone = row({ path, unit: 'responses/s', values, goal: { atLeast: 3000 }, more });
  if (peers.length < values.length) return [alone];
  const beside = { what: `pgbench, ${GROUP} of them a statement, two connections`, values: peers };
  return [alone, row({ path: `${path}, beside pgbench`, unit: 'responses/s', values, peer: beside })];
}
