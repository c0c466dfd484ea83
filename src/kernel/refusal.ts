import { type ClassType, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { type CommonCode, DomainError } from './errors.js';

/** Every code as it appears in responses; filled when the schema is built, after all modules are loaded. */
export const ErrorCodeType: Record<string, string> = {};
registerEnumType(ErrorCodeType, {
  name: 'ErrorCode',
  description:
    'The possible values of `extensions.code`. Treat a code you do not know as a general failure of that request.',
});

@ObjectType({ description: 'Why the change was refused for one of several objects.' })
export class Refusal {
  @Field(() => ErrorCodeType)
  code!: string;

  @Field(() => String, { description: 'What to do about it.' })
  message!: string;
}

export interface BulkAnswer<T> {
  id: string;
  object: T | null;
  error: Refusal | null;
}

/** Creates the result type of a node type for bulk changes; call it once per type. */
export function bulkAnswerOf<T extends object>(node: ClassType<T>, name: string): ClassType<BulkAnswer<T>> {
  @ObjectType(`${name}BulkAnswer`, { description: 'The result for one object of a bulk change.' })
  class NodeAnswer {
    @Field(() => ID)
    id!: string;

    @Field(() => node, { nullable: true, description: 'The object as it is now; null when refused.' })
    object!: T | null;

    @Field(() => Refusal, { nullable: true })
    error!: Refusal | null;
  }
  return NodeAnswer;
}

/** Refusals that concern the caller rather than an object. */
const OF_THE_CALLER: ReadonlySet<string> = new Set(['unauthenticated', 'permission_denied'] satisfies CommonCode[]);

/**
 * Applies the same change to several objects in the caller's transaction, one after another by id, so that callers with
 * the same objects cannot deadlock, or in the given order when one change enables the next. Results are in the given
 * order. A verb refuses only its own object, before changing anything; an unexpected error rolls back everything. A
 * caller without permission for any of them is refused as a whole.
 */
export async function inBulk<T>(
  ids: readonly string[],
  verb: (id: string) => Promise<T>,
  order: 'by id' | 'given' = 'by id',
): Promise<BulkAnswer<T>[]> {
  const answers = [...new Set(ids)].map((id): BulkAnswer<T> => ({ id, object: null, error: null }));
  const refusals: DomainError[] = [];
  const turns = order === 'given' ? answers : answers.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const answer of turns) {
    try {
      answer.object = await verb(answer.id);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refusals.push(error);
      answer.error = { code: error.code.toUpperCase(), message: error.message };
    }
  }
  const [refusal] = refusals;
  if (refusal && refusals.length === answers.length && refusals.every(({ code }) => OF_THE_CALLER.has(code)))
    throw refusal;
  return answers;
}
