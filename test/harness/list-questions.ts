import {
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { FilledProject } from '../contract/filled-project.js';
import { documentOf, rootFields } from '../contract/operation-documents.js';

/** One way to query a list in the schema: its document and variables, and what distinguishes it. */
export interface ListQuestion {
  list: string;
  /** `orderBy updatedAt desc`, `filter kind { eq }`, or empty for the plain list. */
  asked: string;
  query: string;
  variables: Record<string, unknown>;
  /** The arguments of the list. */
  args: readonly GraphQLArgument[];
}

/**
 * The lists at the root of the schema, with the arguments they need from a filled project. They omit totals, because
 * counting reads every row.
 */
export function plainLists(schema: GraphQLSchema, filled: FilledProject, first: number): ListQuestion[] {
  return rootFields(schema)
    .filter(({ kind, field }) => kind === 'query' && getNamedType(field.type).name.endsWith('Connection'))
    .map((root) => {
      const required = root.field.args.filter(({ name }) => ['projectId', 'surveyId', 'app'].includes(name));
      const given = required.map(({ name }) => [name, (filled[`${root.name} ${name}`] ?? filled[name])?.[0]]);
      const query = documentOf(root, 0).replace(' totalCount isEstimate', '');
      const { args } = root.field;
      return { list: root.name, asked: '', query, variables: { ...Object.fromEntries(given), first }, args };
    });
}

/** A list on an object that appears in one of a project's lists. */
export interface OwnedList {
  /** The project's list of the owners. */
  owners: string;
  /** The root field that finds one owner by id. */
  root: string;
  field: GraphQLField<unknown, unknown>;
}

/** The lists on every object that appears in one of a project's lists and that a root field finds by id. */
export function ownedLists(schema: GraphQLSchema): OwnedList[] {
  const roots = rootFields(schema).filter(({ field }) => field.args.map(({ name }) => name).join() === 'id');
  return connectionsOf(schema, 'Project').flatMap((owners) => {
    const owner = getNamedType(owners.type).name.replace(/Connection$/, '');
    const root = roots.find(({ kind, field }) => kind === 'query' && getNamedType(field.type).name === owner);
    return root ? connectionsOf(schema, owner).map((field) => ({ owners: owners.name, root: root.name, field })) : [];
  });
}

/** The fields of a type that are lists. */
function connectionsOf(schema: GraphQLSchema, name: string): GraphQLField<unknown, unknown>[] {
  const type = schema.getType(name);
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  return fields.filter((field) => getNamedType(field.type).name.endsWith('Connection'));
}

/** The plain list of one owner. */
export function ownedList({ root, field }: OwnedList, id: string, first: number): ListQuestion {
  const query = documentOf({ kind: 'query', name: field.name, field }, 0)
    .replace(' totalCount isEstimate', '')
    .replace('query(', 'query($id: ID!, ')
    .replace(') {', `) { ${root}(id: $id) {`);
  return { list: `${root} ${field.name}`, asked: '', query: `${query} }`, variables: { id, first }, args: field.args };
}

/** A list in each order it offers. One direction is enough, because an index can be read backwards for the other. */
export function inEachOrder(question: ListQuestion): ListQuestion[] {
  return ordersOf(question).map((field) => ({
    ...question,
    asked: `orderBy ${field}`,
    variables: { ...question.variables, orderBy: { field, direction: 'desc' } },
  }));
}

const NOBODY = 'nobody';
const NO_ID = '00000000-0000-4000-8000-000000000000';

/** For each kind of filter and each of its conditions, a value that no row has. */
const ABSENT: Readonly<Record<string, Record<string, unknown>>> = {
  TextFilter: { eq: NOBODY, in: [NOBODY, `${NOBODY}-either`], contains: NOBODY },
  ExactTextFilter: { eq: NOBODY, in: [NOBODY, `${NOBODY}-either`] },
  IdFilter: { eq: NO_ID, in: [NO_ID] },
  InstantFilter: { from: '9990-01-01T00:00:00Z', to: '1700-01-02T00:00:00Z' },
  IntFilter: { eq: 2_000_000_000, from: 2_000_000_000, to: -2_000_000_000 },
};

/**
 * A list with each filter it offers and with a search text, for a value that no row has, or for each possible value if
 * there are few.
 */
export function withEachFilter(question: ListQuestion): ListQuestion[] {
  const type = argumentOf(question, 'filter');
  const conditions = isInputObjectType(type) ? conditionsOf(type) : [];
  const asked: [what: string, given: object][] = conditions.map(([path, filter]) => [`filter ${path}`, { filter }]);
  if (argumentOf(question, 'search')) asked.push(['search', { search: NOBODY }]);
  return asked.map(([what, given]) => ({ ...question, asked: what, variables: { ...question.variables, ...given } }));
}

/** The conditions that a filter offers, including nested ones: the path, and the condition as an input. */
function conditionsOf(type: GraphQLInputObjectType): [path: string, condition: Record<string, unknown>][] {
  return Object.values(type.getFields()).flatMap(({ name, type: own }) => {
    const inner = getNamedType(own);
    if (!isInputObjectType(inner)) return [];
    const absent = ABSENT[inner.name];
    const within = absent
      ? Object.entries(absent).map(([operator, value]) => [operator, { [operator]: value }] as const)
      : (eachOfFew(inner) ?? conditionsOf(inner));
    return within.map(
      ([path, condition]) => [`${name} ${path}`, { [name]: condition }] as [string, Record<string, unknown>],
    );
  });
}

/** For a filter with few possible values, each of these: most of them match hardly any row. */
function eachOfFew(filter: GraphQLInputObjectType): [path: string, condition: Record<string, unknown>][] | undefined {
  const type = getNamedType(filter.getFields().eq?.type);
  const values = isEnumType(type)
    ? type.getValues().map(({ name }) => name)
    : type === GraphQLBoolean
      ? [true, false]
      : null;
  return values?.map((value) => [`eq ${value}`, { eq: value }]);
}

const argumentOf = ({ args }: ListQuestion, argument: string) =>
  getNamedType(args.find(({ name }) => name === argument)?.type);

/** The names of the orders that a list offers. */
function ordersOf(question: ListQuestion): string[] {
  const type = argumentOf(question, 'orderBy');
  const fields = isInputObjectType(type) ? getNamedType(type.getFields().field?.type) : undefined;
  return isEnumType(fields) ? fields.getValues().map(({ name }) => name) : [];
}

/**
 * A query that goes from a project to its flags, from each flag to its project, and so on: far more than anyone may ask
 * for.
 */
export function circleThroughGraph(projectId: string, rounds: number): string {
  const circle = (left: number): string =>
    left === 0 ? '{ id }' : `{ flags(first: 100) { nodes { project ${circle(left - 1)} } } }`;
  return `{ project(id: "${projectId}") ${circle(rounds)} }`;
}
