import fc from 'fast-check';
import type { GraphQLInputType } from 'graphql';
import { MatrixObjects } from '../contract/matrices/matrix-objects.js';
import { GRAPHQL_MATRIX } from '../contract/matrices/role-matrix.js';
import { documentOf, type RootField, rootFields, sendUpload } from '../contract/operation-documents.js';
import type { RestAnswer } from '../support/client.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import type { LogLine, TestApp } from '../support/test-app.js';
import { type ArgumentPlace, goodValueOf, placesOf, withValueAt } from './argument-places.js';
import { HOSTILE_ARGUMENTS } from './hostile-arguments.js';
import { unmatched } from './hostile-rest.js';
import { literalOf } from './literals.js';

const SIDE_BY_SIDE = 6;
/** Levels of objects selected in an answer. */
const DEPTH = 1;
/** Error codes that mean the server failed. No caller's input may cause them. */
const SERVER_FAULTS = /"code":"(?:INTERNAL_SERVER_ERROR|UNAVAILABLE)"/;
/** Placeholder for the hostile value until everything else is JSON. */
const HERE = '<the hostile value>';

interface Attack {
  readonly root: RootField;
  readonly place: ArgumentPlace;
  readonly called: string;
  readonly how: 'variable' | 'literal';
}

/** The result of a fuzzer run. */
export interface FuzzedGraphql {
  readonly requests: number;
  /** The total number of possible attacks. */
  readonly possible: number;
  /** Operations that answered without an error at least once. */
  readonly succeeded: ReadonlySet<string>;
  /** Answers or log lines that must not occur. */
  readonly faults: readonly string[];
}

/**
 * Puts hostile values into every argument of every operation, one at a time, as variables or literals. Checks that the
 * server does not treat any of them as its own failure, logs no failure and keeps answering. The same seed produces the
 * same requests.
 * @param requests how many of the possible ones to send
 * @param log what the server logs, as it arrives
 */
export async function fuzzGraphql(
  test: TestApp,
  { seed, requests, log }: { seed: number; requests: number; log: readonly LogLine[] },
): Promise<FuzzedGraphql> {
  const operator = await buildWorld(test);
  const foreign = await buildWorld(test);
  const hostile: typeof HOSTILE_ARGUMENTS = {
    ...HOSTILE_ARGUMENTS,
    'a foreign project': JSON.stringify(foreign.projectId),
    'a foreign organization': JSON.stringify(foreign.organizationId),
    'the own organization': JSON.stringify(operator.organizationId),
    'a foreign person': JSON.stringify(foreign.owner.id),
  };
  const attacks = rootFields(test.app.schema).flatMap((root) =>
    placesOf(root).flatMap((place) =>
      Object.keys(hostile).flatMap((called) =>
        (['variable', 'literal'] as const).map((how) => ({ root, place, called, how })),
      ),
    ),
  );
  const length = Math.min(requests, attacks.length);
  const [chosen = []] = fc.sample(fc.shuffledSubarray(attacks, { minLength: length, maxLength: length }), {
    seed,
    numRuns: 1,
  });
  const bases = new Bases(test, operator);
  const faults: string[] = [];
  const failedIds = new Set<string | null>();
  const succeeded = new Set<string>();
  const waiting = [...chosen];
  const lane = async (): Promise<void> => {
    for (let attack = waiting.pop(); attack; attack = waiting.pop()) {
      const { root, place, called, how } = attack;
      const value = jsonOf(hostile[called] ?? '', place);
      const { status, text, headers } = await send(operator, attack, value, await bases.of(root));
      if (status === 200 && !text.includes('"errors"')) succeeded.add(root.name);
      if (status < 500 && !SERVER_FAULTS.test(text)) continue;
      failedIds.add(headers.get('x-request-id'));
      const line = log.find(({ requestId }) => requestId === headers.get('x-request-id'));
      faults.push(
        `${root.name}(${place.path.join('.')}: ${called}) as ${how}: ${status} ${text.slice(0, 300)} ${line?.err?.message}`,
      );
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
  const alive = await operator.owner.client.post('/graphql', { query: '{ me { id } }' });
  if (alive.status !== 200) faults.push(`afterwards: ${alive.status} ${alive.text.slice(0, 300)}`);
  faults.push(...unmatched(log, failedIds));
  return { requests: chosen.length, possible: attacks.length, succeeded, faults };
}

function jsonOf(value: string | ((good: unknown) => string), { type }: ArgumentPlace): string {
  if (typeof value === 'string') return value;
  const good = goodValueOf(type);
  return value(Array.isArray(good) ? good[0] : good);
}

/** Valid variables for each operation, created when it is first attacked. */
class Bases {
  private readonly made = new Map<string, Promise<Record<string, unknown>>>();

  constructor(
    private readonly test: TestApp,
    private readonly world: World,
  ) {}

  of({ name }: RootField): Promise<Record<string, unknown>> {
    const known = this.made.get(name) ?? this.make(name);
    this.made.set(name, known);
    return known;
  }

  private async make(name: string): Promise<Record<string, unknown>> {
    // Operations on a whole project, such as switching modules off, must not affect the others.
    const world = name === 'updateProject' || name === 'setProjectPlan' ? await buildProject(this.world) : this.world;
    return (await GRAPHQL_MATRIX[name]?.args?.(new MatrixObjects(this.test, world, world.owner))) ?? {};
  }
}

function send(
  { owner: { client } }: World,
  { root, place, how }: Attack,
  json: string,
  base: Record<string, unknown>,
): Promise<RestAnswer> {
  const places = new Map(placesOf(root).map(({ path, type }) => [path.join('.'), type]));
  const typeOf = (path: ArgumentPlace['path']) => places.get(path.join('.')) as GraphQLInputType;
  const query = documentOf(root, DEPTH);
  const [name = ''] = place.path;
  const uploads = GRAPHQL_MATRIX[root.name]?.uploads;
  // JSON.stringify cannot write values that are nested deeply enough.
  const withJson = (text: string) => text.replace(JSON.stringify(HERE), () => json);
  if (uploads && name !== uploads)
    return sendUpload(client, query, withValueAt(base, place, typeOf, HERE), uploads, withJson);
  const literal =
    how === 'literal' ? literalOf(typeOf([name]), withValueAt(base, place, typeOf, JSON.parse(json))[name]) : null;
  if (literal === null) {
    const variables = withValueAt(base, place, typeOf, HERE);
    return client.post('/graphql', withJson(JSON.stringify({ query, variables })));
  }
  const inlined = query
    .replace(`${name}: $${name}`, () => `${name}: ${literal}`)
    .replace(new RegExp(`\\$${name}: [^,)]+(?:, )?`), '')
    .replace('()', '');
  return client.post('/graphql', { query: inlined, variables: base });
}
