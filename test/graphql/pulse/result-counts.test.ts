import * as assert from 'uvu/assert';
import { numbers } from '../../harness/pseudo-random.js';
import { refuseRows } from '../../support/database.js';
import { type BuiltSurvey, buildSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { until } from '../../support/until.js';

/** A response as it was sent. */
interface Sent {
  person: string;
  at: Date;
  answers: { nps: number; tags: string[]; when?: string; why?: string };
}

interface Results {
  responses: number;
  nps: { promoters: number; passives: number; detractors: number };
  questions: { questionId: string; answered: number; distribution: { value: string; count: number }[] }[];
  overTime: { day: string; responses: number; nps: { score: number } }[];
}

const RESULTS = `query($id: ID!, $from: DateTimeISO, $to: DateTimeISO) {
  surveyResults(surveyId: $id, environment: live, from: $from, to: $to) { responses nps { promoters passives detractors }
    questions { questionId answered distribution { value count } } overTime { day responses nps { score } } } }`;

let survey: BuiltSurvey;
let sent: Sent[] = [];

const x = worldSuite('counts of survey results');
const { here } = x;
x.before.each(async () => {
  survey = await buildSurvey(here.world);
  sent = [];
});

async function submit(response: Sent): Promise<void> {
  const { person, at, answers } = response;
  const answer = await here.world.live.post('/api/pulse/responses', {
    survey_id: survey.id,
    respondent: { user_id: person },
    answers,
    submitted_at: at.toISOString(),
  });
  assert.is(answer.status, 201, answer.text);
  sent.push(response);
}

async function erase(person: string): Promise<void> {
  await here.world.owner.client.graphql(
    'mutation($i: DeleteRespondentInput!) { deleteRespondent(input: $i) { responses } }',
    {
      i: { projectId: here.world.projectId, userId: person },
    },
  );
  sent = sent.filter((response) => response.person !== person);
}

const count = () => here.test.app.services.responseCounts.count();

function plainly(from: Date | null, to: Date | null): object {
  const within = sent.filter(({ at }) => (!from || at >= from) && (!to || at <= to));
  const promoters = (all: Sent[]) => all.filter(({ answers }) => answers.nps >= 9).length;
  const detractors = (all: Sent[]) => all.filter(({ answers }) => answers.nps <= 6).length;
  const of = (questionId: 'nps' | 'tags' | 'when' | 'why') => {
    const given = within.flatMap(({ answers }) => answers[questionId] ?? []).map(String);
    const counts = Map.groupBy(questionId === 'why' ? [] : given, (value) => value);
    const answered = within.filter(({ answers }) => answers[questionId] !== undefined).length;
    return [questionId, answered, Object.fromEntries([...counts].map(([value, all]) => [value, all.length]))];
  };
  const days = [...Map.groupBy(within, ({ at }) => at.toISOString().slice(0, 10))].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    responses: within.length,
    nps: [promoters(within), within.length - promoters(within) - detractors(within), detractors(within)],
    questions: [of('nps'), of('tags'), of('when'), of('why')],
    days: days.map(([day, all]) => [
      day,
      all.length,
      Number(((100 * (promoters(all) - detractors(all))) / all.length).toFixed(1)),
    ]),
  };
}

async function asked(from: Date | null, to: Date | null): Promise<object> {
  const { surveyResults } = await here.world.owner.client.graphql<{ surveyResults: Results }>(RESULTS, {
    id: survey.id,
    from,
    to,
  });
  const of = (id: string) => {
    const result = surveyResults.questions.find(({ questionId }) => questionId === id);
    const given = result?.distribution.filter((entry) => entry.count > 0) ?? [];
    return [id, result?.answered ?? 0, Object.fromEntries(given.map((entry) => [entry.value, entry.count]))];
  };
  const { promoters, passives, detractors } = surveyResults.nps;
  return {
    responses: surveyResults.responses,
    nps: [promoters, passives, detractors],
    questions: ['nps', 'tags', 'when', 'why'].map(of),
    days: surveyResults.overTime.map(({ day, responses, nps }) => [day, responses, nps.score]),
  };
}

x('always match the responses, whatever is counted, erased and requested', async () => {
  const number = numbers(20_261_122);
  const instant = () => new Date(Date.UTC(2026, 0, 1 + number(5), number(24), number(60), 59, number(2) * 999));
  const TAGS = [['red'], ['red', 'blue'], ['blue']];
  const steps = [
    () =>
      submit({
        person: `p${number(6)}`,
        at: instant(),
        answers: {
          nps: number(11),
          tags: TAGS[number(3)] as string[],
          ...(number(2) ? { when: `2026-02-0${1 + number(3)}` } : {}),
          ...(number(2) ? { why: 'because' } : {}),
        },
      }),
    count,
    () => erase(`p${number(6)}`),
  ];
  for (let round = 0; round < 25; round++) {
    for (let n = number(6); n >= 0; n--) await steps[0]?.();
    const other = number(4);
    if (other === 1) await Promise.all([steps[1]?.(), steps[1]?.(), steps[0]?.()]);
    if (other === 2) await Promise.all([steps[1]?.(), steps[2]?.()]);
    const [one, two] = [instant(), instant()].sort((a, b) => a.getTime() - b.getTime());
    const midnight = new Date(Date.UTC(2026, 0, 2 + number(3)));
    const times: [Date | null, Date | null][] = [
      [null, null],
      [one ?? null, two ?? null],
      [midnight, null],
      [null, new Date(midnight.getTime() - 1)],
    ];
    for (const [from, to] of times) assert.equal(await asked(from, to), plainly(from, to), `round ${round}`);
  }
});

x('of other surveys continue when those of one are refused, which are counted once possible', async () => {
  const refused = await buildSurvey(here.world);
  const accept = await refuseRows(here.test.app.pool, 'survey_count', `new.survey_id = '${refused.id}'`);
  const answered = { survey_id: refused.id, answers: { nps: 9, tags: ['red'] } };
  assert.is((await here.world.live.post('/api/pulse/responses', answered)).status, 201);
  await submit({ person: 'p', at: new Date('2026-01-01T12:00:00Z'), answers: { nps: 9, tags: ['red'] } });
  const counted = async () => {
    await count();
    const { rows } = await here.test.app.pool.query<{ id: string }>(
      'select distinct survey_id as id from survey_count where survey_id = any($1)',
      [[survey.id, refused.id]],
    );
    return rows.map(({ id }) => id);
  };
  assert.equal(await counted(), [survey.id]);
  await accept();
  assert.equal((await counted()).sort(), [survey.id, refused.id].sort());
});

x('keep nothing of an erased answer', async () => {
  await submit({
    person: 'gone',
    at: new Date('2026-01-01T12:00:00Z'),
    answers: { nps: 1, tags: [], when: '1970-03-04' },
  });
  await submit({ person: 'stays', at: new Date('2026-01-01T12:00:00Z'), answers: { nps: 2, tags: ['red'] } });
  await count();
  const stored = async () => {
    const { rows } = await here.test.app.pool.query<{ value: string }>(
      'select value from survey_count where survey_id = $1',
      [survey.id],
    );
    return rows.map(({ value }) => value);
  };
  assert.ok((await stored()).includes('"1970-03-04"'));
  await erase('gone');
  assert.not((await stored()).includes('"1970-03-04"'));
  assert.equal(await asked(null, null), plainly(null, null));
});

x('read the notes at most once per slice, however few the planner expects', async () => {
  const BURST = 10_000;
  const { pool } = here.test.app;
  await submit({ person: 'first', at: new Date('2026-01-01T12:00:00Z'), answers: { nps: 9, tags: ['red'] } });
  await count();
  // An empty page makes the planner conclude that the table always stays empty.
  await pool.query('analyze survey_response_uncounted');
  const notesRead = async () => {
    const { rows } = await pool.query<{ n: string }>(
      "select seq_tup_read + coalesce(idx_tup_fetch, 0) as n from pg_stat_user_tables where relname = 'survey_response_uncounted'",
    );
    return Number(rows[0]?.n);
  };
  const before = await notesRead();
  await pool.query(
    `insert into survey_response (id, project_id, survey_id, survey_version, environment, context, submitted_at, created_at)
     select 'burst ' || n, $1, $2, 1, 'live', '{}', '2026-01-02T12:00:00Z', now() from generate_series(1, ${BURST}) n`,
    [here.world.projectId, survey.id],
  );
  await count();
  await until('the read statistics', async () => (await notesRead()) >= before + BURST);
  // Five slices: each takes its part, and may read everything that is left.
  assert.ok((await notesRead()) <= before + 5 * BURST, `${(await notesRead()) - before} notes read`);
  const { surveyResults } = await here.world.owner.client.graphql<{ surveyResults: { responses: number } }>(
    'query($id: ID!) { surveyResults(surveyId: $id, environment: live) { responses } }',
    { id: survey.id },
  );
  assert.is(surveyResults.responses, BURST + 1);
});

x.run();
