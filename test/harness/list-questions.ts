import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType, isEnumType, isInputObjectType } from 'graphql';
import type { FilledProject } from '../contract/filled-project.js';
import { documentOf, type RootField, rootFields } from '../contract/operation-documents.js';

/** One way to ask for a list of the schema: its document and variables, and what distinguishes it. */
export interface ListQuestion {
  list: string;
  /** `orderBy updatedAt desc`, `filter kind { eq }`, or nothing for the list as it is. */
  asked: string;
  query: string;
  variables: Record<string, unknown>;
}

/** The lists at the root of the schema, with what they need of a filled project, without their totals: counting reads every row. */
export function plainLists(schema: GraphQLSchema, filled: FilledProject, first: number): ListQuestion[] {
  return rootFields(schema)
    .filter(({ kind, field }) => kind === 'query' && getNamedType(field.type).name.endsWith('Connection'))
    .map((root) => {
      const required = root.field.args.filter(({ name }) => ['projectId', 'surveyId', 'app'].includes(name));
      const given = required.map(({ name }) => [name, (filled[`${root.name} ${name}`] ?? filled[name])?.[0]]);
      const query = documentOf(root, 0).replace(' totalCount isEstimate', '');
      return { list: root.name, asked: '', query, variables: { ...Object.fromEntries(given), first } };
    });
}

/** Every list in each order that it offers; an index that is walked backwards has the other direction. */
export function orderedLists(schema: GraphQLSchema, filled: FilledProject, first: number): ListQuestion[] {
  return plainLists(schema, filled, first).flatMap((question) =>
    ordersOf(schema, question).map((field) => ({
      ...question,
      asked: `orderBy ${field}`,
      variables: { ...question.variables, orderBy: { field, direction: 'desc' } },
    })),
  );
}

const NOBODY = 'nobody';
const NO_ID = '00000000-0000-4000-8000-000000000000';

/** For each kind of filter and what it can be asked a value that no row has. */
const ABSENT: Readonly<Record<string, Record<string, unknown>>> = {
  TextFilter: { eq: NOBODY, in: [NOBODY, `${NOBODY}-either`], contains: NOBODY },
  ExactTextFilter: { eq: NOBODY, in: [NOBODY, `${NOBODY}-either`] },
  IdFilter: { eq: NO_ID, in: [NO_ID] },
  InstantFilter: { from: '9990-01-01T00:00:00Z', to: '1700-01-02T00:00:00Z' },
  IntFilter: { eq: 2_000_000_000, from: 2_000_000_000, to: -2_000_000_000 },
};

/** Every list with each filter that it offers, and with a text to search for, for a value that no row has. Filters of a few values are left out: each has rows. */
export function filteredLists(schema: GraphQLSchema, filled: FilledProject, first: number): ListQuestion[] {
  return plainLists(schema, filled, first).flatMap((question) => {
    const type = argumentOf(schema, question, 'filter');
    const conditions = isInputObjectType(type) ? conditionsOf(type) : [];
    const asked: [what: string, given: object][] = conditions.map(([path, filter]) => [`filter ${path}`, { filter }]);
    if (argumentOf(schema, question, 'search')) asked.push(['search', { search: NOBODY }]);
    return asked.map(([what, given]) => ({ ...question, asked: what, variables: { ...question.variables, ...given } }));
  });
}

/** What the fields of a filter can be asked for, those within others included: its path, and it as an input. */
function conditionsOf(type: GraphQLInputObjectType): [path: string, condition: Record<string, unknown>][] {
  return Object.values(type.getFields()).flatMap(({ name, type: own }) => {
    const inner = getNamedType(own);
    if (!isInputObjectType(inner)) return [];
    const absent = ABSENT[inner.name];
    const within = absent
      ? Object.entries(absent).map(([operator, value]) => [operator, { [operator]: value }] as const)
      : conditionsOf(inner);
    return within.map(
      ([path, condition]) => [`${name} ${path}`, { [name]: condition }] as [string, Record<string, unknown>],
    );
  });
}

const rootOf = (schema: GraphQLSchema, { list }: ListQuestion): RootField =>
  rootFields(schema).find(({ kind, name }) => kind === 'query' && name === list) as RootField;

const argumentOf = (schema: GraphQLSchema, question: ListQuestion, argument: string) =>
  getNamedType(rootOf(schema, question).field.args.find(({ name }) => name === argument)?.type);

/** The names of the orders that a list offers. */
function ordersOf(schema: GraphQLSchema, question: ListQuestion): string[] {
  const type = argumentOf(schema, question, 'orderBy');
  const fields = isInputObjectType(type) ? getNamedType(type.getFields().field?.type) : undefined;
  return isEnumType(fields) ? fields.getValues().map(({ name }) => name) : [];
}

/** A query that goes from a project to its flags, from each to its project, and so on: far more than anybody may ask for. */
export function circleThroughGraph(projectId: string, rounds: number): string {
  const circle = (left: number): string =>
    left === 0 ? '{ id }' : `{ flags(first: 100) { nodes { project ${circle(left - 1)} } } }`;
  return `{ project(id: "${projectId}") ${circle(rounds)} }`;
}
