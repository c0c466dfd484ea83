import { type GraphQLSchema, getNamedType, isEnumType, isInputObjectType } from 'graphql';
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
    fieldsOf(schema, question, 'orderBy').map((field) => ({
      ...question,
      asked: `orderBy ${field}`,
      variables: { ...question.variables, orderBy: { field, direction: 'desc' } },
    })),
  );
}

/** A value of each kind of filter that no row has. */
const ABSENT: Readonly<Record<string, Record<string, unknown>>> = {
  TextFilter: { eq: 'nobody-has-this' },
  IdFilter: { eq: '00000000-0000-4000-8000-000000000000' },
  InstantFilter: { from: '9990-01-01T00:00:00Z' },
  IntFilter: { from: 2_000_000_000 },
};

/** Every list with each filter that it offers, for a value that no row has. Filters of a few values are left out: each has rows. */
export function filteredLists(schema: GraphQLSchema, filled: FilledProject, first: number): ListQuestion[] {
  return plainLists(schema, filled, first).flatMap((question) =>
    fieldsOf(schema, question, 'filter').flatMap((field) => {
      const absent = ABSENT[filterTypeOf(schema, question, field)];
      if (!absent) return [];
      const asked = `filter ${field} ${Object.keys(absent).join()}`;
      return [{ ...question, asked, variables: { ...question.variables, filter: { [field]: absent } } }];
    }),
  );
}

const rootOf = (schema: GraphQLSchema, { list }: ListQuestion): RootField =>
  rootFields(schema).find(({ kind, name }) => kind === 'query' && name === list) as RootField;

function fieldsOf(schema: GraphQLSchema, question: ListQuestion, argument: 'orderBy' | 'filter'): string[] {
  const type = getNamedType(rootOf(schema, question).field.args.find(({ name }) => name === argument)?.type);
  if (!isInputObjectType(type)) return [];
  if (argument === 'filter') return Object.keys(type.getFields());
  const fields = getNamedType(type.getFields().field?.type);
  return isEnumType(fields) ? fields.getValues().map(({ name }) => name) : [];
}

function filterTypeOf(schema: GraphQLSchema, question: ListQuestion, field: string): string {
  const type = getNamedType(rootOf(schema, question).field.args.find(({ name }) => name === 'filter')?.type);
  return isInputObjectType(type) ? (getNamedType(type.getFields()[field]?.type)?.name ?? '') : '';
}

/** A query that goes from a project to its flags, from each to its project, and so on: far more than anybody may ask for. */
export function circleThroughGraph(projectId: string, rounds: number): string {
  const circle = (left: number): string =>
    left === 0 ? '{ id }' : `{ flags(first: 100) { nodes { project ${circle(left - 1)} } } }`;
  return `{ project(id: "${projectId}") ${circle(rounds)} }`;
}
