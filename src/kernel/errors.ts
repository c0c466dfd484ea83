import type { Role } from './actor.js';

/**
 * An expected domain failure: a code and its details. It has no status, because each face maps it in its own way.
 * `message` tells the user what to do next and comes from the module's failure table.
 */
export class DomainError<Code extends string = string> extends Error {
  constructor(
    readonly code: Code,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    /** The invalid input field, if the code alone determines it. */
    readonly field?: string,
  ) {
    super(message);
    this.name = 'DomainError';
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the parameter of each row is inferred from the row itself
type FailureTable = Record<string, (details: any) => string>;

type Details<Row> = Row extends (details: infer D) => string ? (unknown extends D ? Record<string, never> : D) : never;

/** A function that creates a module's errors, with the names of its codes. */
export interface Failures<Table extends FailureTable> {
  <Code extends keyof Table & string>(
    code: Code,
    ...details: Parameters<Table[Code]> extends [] ? [] : [Details<Table[Code]>]
  ): DomainError<Code>;
  readonly codes: readonly (keyof Table & string)[];
}

/** A module's failure codes, for its exhaustive map to statuses. */
export type FailureCode<F> = F extends Failures<infer Table> ? keyof Table & string : never;

const declared = new Set<string>();

/** The codes of all loaded modules, sorted alphabetically. */
export const failureCodes = (): string[] => [...declared].sort();

/**
 * Declares the failures of a module: code → user-facing message, from typed details. `throw
 * configFailure('version_conflict', { expected: 3, current: 4 })`. `fields` gives the input field a code is about, for
 * forms; codes whose details have `problems`, `path` or `field` say it there.
 */
export function defineFailures<Table extends FailureTable>(
  table: Table,
  fields: Partial<Record<keyof Table & string, string>> = {},
): Failures<Table> {
  for (const code of Object.keys(table)) declared.add(code);
  const make = (code: keyof Table & string, details: Record<string, unknown> = {}) =>
    new DomainError(code, (table[code] as (d: unknown) => string)(details), details, fields[code]);
  // TypeScript cannot express a function's properties and overloads in one expression.
  return Object.assign(make, { codes: Object.keys(table) }) as unknown as Failures<Table>;
}

/** What a caller lacks: the role that the call needs and where, and what keeps them from having it. */
export interface Denial {
  needs: Role;
  in: 'project' | 'organization';
  because:
    | 'of_your_role'
    /** Neither the role now nor the one at sign-in, which limits a session, is enough. */
    | 'of_your_session'
    | 'of_the_role_of_the_token'
    | 'the_token_is_for_one_project';
}

function deniedSentence({ needs, in: place, because }: Denial): string {
  if (because === 'the_token_is_for_one_project')
    return 'This concerns the whole organization, but your API token is limited to one project. Use a token that is not limited.';
  if (because === 'of_the_role_of_the_token')
    return `This needs the role ${needs}, which your API token does not have. Use a token with that role.`;
  const whom = needs === 'owner' ? 'an owner' : 'an admin';
  const after = because === 'of_your_session' ? ', then sign in again' : '';
  return `This needs the role ${needs} in the ${place}. Ask ${whom} of the organization for it${after}.`;
}

/** Failures shared by all modules and both faces. */
export const commonFailure = defineFailures(
  {
    unauthenticated: () => 'Sign in, or send a valid access token.',
    invalid_token: () => 'The access token is malformed, expired or revoked; sign in again or mint a new one.',
    permission_denied: deniedSentence,
    not_found: ({ what }: { what: string }) => `No ${what} with this id is visible to you.`,
    invalid_input: ({ problems }: { problems: { path: string; problem: string }[] }) =>
      problems.map(({ path, problem }) => `${path}: ${problem}`).join('; '),
    invalid_cursor: (_: { field: 'after' | 'before' }) =>
      'The cursor is not one that this list handed out; start again without it.',
    project_required: () => 'The organization has several projects; say which one is meant.',
    unavailable: () => 'The database cannot be reached at the moment; try again shortly.',
  },
  { project_required: 'projectId' },
);

export type CommonCode = FailureCode<typeof commonFailure>;
