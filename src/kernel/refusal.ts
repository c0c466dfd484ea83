import { type ClassType, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { type CommonCode, DomainError } from './errors.js';

/** Every code, as answers have it; filled when the schema is built, when all modules are loaded. */
export const ErrorCodeType: Record<string, string> = {};
registerEnumType(ErrorCodeType, {
  name: 'ErrorCode',
  description:
    'What `extensions.code` of a failure can be. Take one that you do not know as a failure of its kind of request.',
});

@ObjectType({ description: 'Why something was not done, for one object of several.' })
export class Refusal {
  @Field(() => ErrorCodeType)
  code!: string;

  @Field(() => String, { description: 'What to do about it.' })
  message!: string;
}

/** What became of one object of several that were to be changed alike. */
export interface BulkAnswer<T> {
  id: string;
  object: T | null;
  error: Refusal | null;
}

/** The type of what becomes of one node of several; call it once a type. */
export function bulkAnswerOf<T extends object>(node: ClassType<T>, name: string): ClassType<BulkAnswer<T>> {
  @ObjectType(`${name}BulkAnswer`, { description: 'What became of one object of several.' })
  class NodeAnswer {
    @Field(() => ID)
    id!: string;

    @Field(() => node, { nullable: true, description: 'As it is now; null where it was refused.' })
    object!: T | null;

    @Field(() => Refusal, { nullable: true })
    error!: Refusal | null;
  }
  return NodeAnswer;
}

/** Refusals of the caller rather than of an object. */
const OF_THE_CALLER: ReadonlySet<string> = new Set(['unauthenticated', 'permission_denied'] satisfies CommonCode[]);

/**
 * Does the same to several objects in the transaction of the caller, one after the other in the order of their ids, so that two callers
 * who name the same ones do not wait for each other, or in the order given where what is done to one opens the way for the next. The
 * answers are in the order given. What a verb refuses it refuses for its own object, before it changes anything; what nobody foresaw
 * undoes all. A caller who may do it to none of them is refused as a whole.
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
