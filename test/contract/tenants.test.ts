import { getNamedType, getOperationAST, isIntrospectionType, isObjectType, parse } from 'graphql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LONGEST_PLANNED_QUERY } from '../../src/graphql/plan/planned-executor.js';
import { planQuery } from '../../src/graphql/plan/query-plan.js';
import { refusalOf } from '../support/client.js';
import { buildMember, buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { MatrixObjects } from './matrices/matrix-objects.js';
import { GRAPHQL_MATRIX } from './matrices/role-matrix.js';
import { sameObjects } from './matrices/same-objects.js';
import { depthOf, documentOf, type RootField, rootFields, sendUpload } from './operation-documents.js';

/** Long enough to be someone's id, name or secret rather than a word of the schema. */
const TELLING = /^(?=.*\d)\S{12,}$|@/;
/** What can be the same for all: when quotas reset, and other whole seconds, such as when tokens expire. */
const WHOLE_SECOND = /\.000Z$/;

let test: TestApp;
let ours: World;
let theirs: World;

/** A refused change shows nothing at any depth; queries cover what it leads to. */
const DEPTH_OF_CHANGES = 1;

/** Variables of the queries sent so far, by name. */
const made = new Map<string, object>();

const tenants = suite('tenants');

tenants.before(async () => {
  test = await openTestApp({
    worker: true,
    settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', GRAPHQL_COST_PER_SECOND: '0' },
  });
  ours = await buildWorld(test);
  theirs = await buildWorld(test);
  await buildMember(test, ours, 'editor');
});
tenants.after(() => test.close());

/** Every telling text in an answer, at any depth. */
function textsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string' && TELLING.test(value)) found.add(value);
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) textsIn(part, found);
  return found;
}

tenants('every type and field shows another organization nothing of ours', async () => {
  const asked = new Set<string>();
  const depths = { query: depthOf, mutation: () => DEPTH_OF_CHANGES };
  const fresh = new MatrixObjects(test, ours, ours.owner);
  const objects = { query: sameObjects(fresh), mutation: fresh };
  for (const root of rootFields(test.app.schema)) {
    const row = GRAPHQL_MATRIX[root.name];
    const query = documentOf(root, depths[root.kind](root), (field) => asked.add(field));
    if (!row || row.least === 'anyone' || row.sameForAll) continue;
    if (root.kind === 'mutation' && row.concernsOwnOrganization) continue;
    const variables = (await row.args?.(objects[root.kind])) ?? {};
    if (root.kind === 'query') made.set(root.name, variables);
    const send = ({ owner: { client } }: World) =>
      row.uploads ? sendUpload(client, query, variables, row.uploads) : client.post('/graphql', { query, variables });
    const foreign = await send(theirs);
    const own = await send(ours);
    assert.is((own.body as { errors?: unknown }).errors, undefined, `${root.name}: ${own.text.slice(0, 500)}`);
    const given = textsIn(variables);
    for (const text of textsIn((own.body as { data?: unknown }).data)) {
      if (given.has(text) || WHOLE_SECOND.test(text)) continue;
      assert.not.ok(foreign.text.includes(text), `${root.name} shows ${text} to another organization`);
    }
    if (!row.concernsOwnOrganization && !row.foreignIsGone) {
      const { data } = foreign.body as { data?: Record<string, unknown> | null };
      assert.not.ok(data?.[root.name], `${root.name} answers another organization`);
    }
  }
  assert.equal(
    fieldsOfSchema().filter((field) => !asked.has(field)),
    [],
    'some fields were never asked; deepen the documents',
  );
});

tenants('a repeated query, which runs by a plan, returns the same bytes', async () => {
  const objects = new MatrixObjects(test, ours, ours.owner);
  for (const root of rootFields(test.app.schema)) {
    const row = GRAPHQL_MATRIX[root.name];
    if (root.kind !== 'query' || !row) continue;
    const query = plannedDocument(root);
    const variables = made.get(root.name) ?? (await row.args?.(objects)) ?? {};
    const { client } = ours.owner;
    let planned = '';
    let executed = '';
    // Jobs may change data between two requests.
    for (let attempt = 0; attempt < MOST_ATTEMPTS && (planned === '' || planned !== executed); attempt += 1) {
      // The library executes the first request.
      const ask = () => client.post('/graphql', { query: withAttempt(query, attempt), variables });
      executed = withoutInstant((await ask()).text);
      planned = withoutInstant((await ask()).text);
    }
    assert.is(planned, executed, root.name);
  }
});

const MOST_ATTEMPTS = 20;
/** A query text that has not been sent before. */
const withAttempt = (query: string, attempt: number): string => `${query} # ${attempt}`;

/** The deepest document of a root that is small enough to be planned. */
function plannedDocument(root: RootField): string {
  for (let depth = depthOf(root); depth >= 0; depth -= 1) {
    const query = documentOf(root, depth);
    const document = parse(query);
    if (withAttempt(query, MOST_ATTEMPTS).length > LONGEST_PLANNED_QUERY) continue;
    if (planQuery(test.app.schema, document, getOperationAST(document) as never)) return query;
  }
  throw new Error(`${root.name} has no plan`);
}

/** Blanks the instant of counts and the expiry and signature of links, which depend on the time of the request. */
const withoutInstant = (answer: string): string =>
  answer.replace(/"asOf":"[^"]*"/g, '"asOf":""').replace(/\b(expires|signature)=[\w-]+/g, '$1=');

function fieldsOfSchema(): string[] {
  const { schema } = test.app;
  // A separate test covers what subscriptions return beside the objects.
  const changes = Object.values(schema.getSubscriptionType()?.getFields() ?? {})
    .map(({ type }) => getNamedType(type))
    .filter(({ name }) => name !== 'AuditEntry');
  const roots: unknown[] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType(), ...changes];
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !isIntrospectionType(type) && !roots.includes(type))
    .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
}

tenants("another organization's attempt to delete a symbol artifact leaves it in place", async () => {
  const id = await new MatrixObjects(test, ours, ours.owner).artifact();
  const byRest = await theirs.owner.client.delete(`/api/v1/catch/symbols/${id}`);
  assert.equal(byRest.body, { deleted: true });
  for (const notTheirs of [id, 'sym_00000000000000000000000000', 'nothing']) {
    const refused = await refusalOf(
      theirs.owner.client.graphql('mutation($input: IdInput!) { deleteSymbolArtifact(input: $input) { deleted } }', {
        input: { id: notTheirs },
      }),
    );
    assert.is(refused.code, 'ARTIFACT_NOT_FOUND');
  }
  const { text } = await ours.owner.client.get(`/api/v1/catch/symbols?project_id=${ours.projectId}`);
  assert.match(text, id);
});

tenants('a REST object of another organization is the same 404 as one that does not exist', async () => {
  const { id } = await new MatrixObjects(test, ours, ours.owner).configItem();
  const path = (item: string) => `/api/v1/config/items/${item}/versions`;
  const foreign = await theirs.owner.client.get(path(id));
  const missing = await theirs.owner.client.get(path('01890000-0000-7000-8000-000000000000'));
  assert.is(foreign.status, 404);
  assert.is(foreign.text, missing.text);
});

tenants.run();
