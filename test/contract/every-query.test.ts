import { randomUUID } from 'node:crypto';
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import * as assert from 'uvu/assert';
import { worldSuite } from '../support/factories/world-suite.js';
import type { LogLine } from '../support/test-app.js';
import { type FilledProject, fillProject } from './filled-project.js';
import { documentOf, type RootField, rootFields } from './operation-documents.js';

let filled: FilledProject;
const log: LogLine[] = [];

const queries = worldSuite('every query of the schema', {
  worker: true,
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', GRAPHQL_COST_PER_SECOND: '0' },
  onLog: (line) => log.push(line),
});
const { here } = queries;
queries.before(async () => {
  filled = await fillProject(here.test, here.world);
});

/** Valid values of an argument: all those of an enum or boolean, otherwise what the filled project provides. */
function valuesOf({ name }: RootField, { name: argument, type }: GraphQLArgument): readonly unknown[] {
  const known = filled[`${name} ${argument}`] ?? filled[argument];
  if (known) return known;
  const named = getNamedType(type);
  if (LIST_ARGUMENTS.has(argument)) return samplesOf(type);
  if (isEnumType(named) || (named.name === 'Boolean' && !isListType(type))) return samplesOf(named);
  assert.unreachable(`${name} has no value for its argument ${argument}`);
  return [];
}

const LIST_ARGUMENTS = new Set(['last', 'orderBy', 'filter', 'search']);

function noSample(type: GraphQLInputType): never {
  throw new Error(`there is no sample of ${type}`);
}

const SAMPLES: Record<string, readonly unknown[]> = {
  Boolean: [true, false],
  String: ['a'],
  ID: ['a', randomUUID()],
  Int: [1],
  DateTimeISO: ['2026-11-22T00:00:00.000Z'],
};

/** Values of an input type. An object gets one value per value of each field, and a field's filter one with all its operators. */
function samplesOf(given: GraphQLInputType): readonly unknown[] {
  const type = getNullableType(given);
  if (isListType(type)) return [samplesOf(type.ofType)];
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  if (!isInputObjectType(type)) return SAMPLES[type.toString()] ?? noSample(type);
  const fields = Object.values(type.getFields());
  const first = (some: readonly GraphQLInputField[]) =>
    Object.fromEntries(some.map((field) => [field.name, samplesOf(field.type)[0]]));
  const required = first(fields.filter(isRequiredInputField));
  return fields.flatMap(({ name, type: ofField }) => {
    const inner = getNullableType(ofField);
    const values = isInputObjectType(inner) ? [first(Object.values(inner.getFields()))] : samplesOf(inner);
    return values.map((value) => ({ ...required, [name]: value }));
  });
}

interface Asked {
  variables: Record<string, unknown>;
  /** Whether to also request the page after the last row. */
  goesOn: boolean;
}

/**
 * Variables: only the required ones and the project; then each optional argument with each of its values; then all together,
 * but with only one end of a list.
 * A list continues from a row in each of its orders, and with each argument.
 */
function variablesOf(root: RootField): Asked[] {
  const { args } = root.field;
  const first = (some: readonly GraphQLArgument[]) =>
    Object.fromEntries(some.map((arg) => [arg.name, valuesOf(root, arg)[0]]));
  const required = first(args.filter((arg) => isRequiredArgument(arg) || arg.name === 'projectId'));
  const optional = args.filter(({ name }) => name !== 'after' && name !== 'before');
  return [
    { variables: required, goesOn: true },
    ...optional.flatMap((arg) =>
      valuesOf(root, arg).map((value, index) => ({
        variables: { ...required, [arg.name]: value },
        goesOn: index === 0 || arg.name === 'orderBy',
      })),
    ),
    // `last` excludes `first`, and a replaced argument excludes its replacement.
    {
      variables: first(optional.filter(({ name, deprecationReason }) => name !== 'last' && !deprecationReason)),
      goesOn: true,
    },
  ];
}

async function ask(query: string, variables: object): Promise<Record<string, unknown>> {
  const { body, text } = await here.world.owner.client.post('/graphql', { query, variables });
  const { data, errors } = body as { data?: Record<string, unknown>; errors?: unknown };
  assert.is(errors, undefined, `${query} ${JSON.stringify(variables)}: ${text.slice(0, 500)}`);
  return data ?? {};
}

const isEmpty = (answer: unknown): boolean =>
  answer === null ||
  (Array.isArray(answer) ? answer.length === 0 : (answer as { nodes?: unknown[] }).nodes?.length === 0);

queries('answers with every argument and every enum value, on a project with rows of everything', async () => {
  for (const root of rootFields(here.test.app.schema)) {
    if (root.kind !== 'query') continue;
    for (const [index, { variables, goesOn }] of variablesOf(root).entries()) {
      // Edges from an object do not depend on how it was found.
      const query = documentOf(root, index === 0 ? 2 : 0);
      const answer = (await ask(query, variables))[root.name];
      if (index === 0) assert.not.ok(isEmpty(answer), `${root.name} has rows in the filled project`);
      const cursor = (answer as { pageInfo?: { endCursor?: string } } | null)?.pageInfo?.endCursor;
      if (cursor && goesOn) await ask(query, { ...variables, after: cursor });
    }
  }
});

queries('deliveries are found by each status, and missing symbols say when they were last missed', async () => {
  for (const status of ['pending', 'delivered', 'dead']) {
    const { webhookDeliveries } = await ask(
      'query($p: ID!, $s: WebhookDeliveryStatus) { webhookDeliveries(projectId: $p, status: $s) { nodes { status attempts createdAt endedAt } } }',
      { p: here.world.projectId, s: status },
    );
    const { nodes } = webhookDeliveries as { nodes: { status: string }[] };
    assert.ok(nodes.length > 0, status);
    assert.ok(nodes.every((node) => node.status === status));
  }
  const { missingSymbols } = await ask(
    'query($p: ID!) { missingSymbols(projectId: $p) { kind key debugId image isSystem release events firstSeenAt lastSeenAt } }',
    {
      p: here.world.projectId,
    },
  );
  const [missing] = missingSymbols as { lastSeenAt: string }[];
  assert.match(missing?.lastSeenAt ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

queries('an answer that cannot be serialized is logged under its request id', async () => {
  const query = 'query($p: ID!) { surveys(projectId: $p) { nodes { kind } } }';
  await here.test.app.pool.query('alter table survey drop constraint survey_kind_check');
  await here.test.app.pool.query(`update survey set kind = 'unheard-of' where project_id = $1`, [here.world.projectId]);
  // The library executes the first, a plan the second.
  for (const requestId of ['serialised_1', 'serialised_2']) {
    const headers = { 'x-request-id': requestId };
    const { body } = await here.world.owner.client.post(
      '/graphql',
      { query, variables: { p: here.world.projectId } },
      headers,
    );
    const { errors } = body as { errors: { extensions: { code: string } }[] };
    assert.is(errors[0]?.extensions.code, 'INTERNAL_SERVER_ERROR');
    if (process.env.TEST_DEPLOYMENT === 'cluster') continue;
    const lines = log.filter((line) => line.requestId === requestId);
    assert.ok(lines.length > 0, 'nothing in the log');
    assert.match(lines[0]?.err?.message ?? '', 'unheard-of');
  }
});

queries.run();
