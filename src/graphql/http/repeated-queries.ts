import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Executor } from '../plan/planned-executor.js';
import type { Admission, Variables } from './admission.js';
import { COST_HEADER } from './cost-report.js';
import type { GraphqlOperation, Progress } from './operation.js';

const MOST_KEPT = 64;

/** A query that Apollo has let through, and the content type for callers with the same Accept header. */
type KnownQuery = NonNullable<Progress['repeatable']> & { readonly contentType: string };

/** The JSON body of a POST request. */
interface GivenBody {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: { persistedQuery?: unknown } | null;
}

type RequestHead = Pick<IncomingMessage, 'method' | 'headers'>;

/** A response as Apollo would give it. */
export interface RepeatedAnswer {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Answers repeated queries without the thirty steps Apollo takes for each: their text is known to be valid and their content type is
 * chosen. They are admitted and executed as usual, and anything with an error continues to Apollo from where it is.
 */
export class RepeatedQueries {
  private readonly kept = new LRUCache<string, KnownQuery>({ max: MOST_KEPT });

  constructor(
    private readonly admission: Admission,
    private readonly executor: Executor,
  ) {}

  /** The known query for a request; undefined if Apollo must answer. */
  known(message: RequestHead, body: GivenBody): KnownQuery | undefined {
    const key = keyOf(message, body);
    return key === undefined ? undefined : this.kept.get(key);
  }

  /** The response, or null if it has an error or the operation could not begin. */
  async answer(known: KnownQuery, body: GivenBody, begun: Promise<GraphqlOperation>): Promise<RepeatedAnswer | null> {
    const { document, operation, contentType } = known;
    const { query, variables, operationName } = body;
    const given = { source: query as string, operationName: (operationName ?? undefined) as string | undefined };
    const values = (variables ?? {}) as Variables;
    try {
      const asking = await begun;
      this.admission.admit(asking, document, operation, values);
      const written = this.executor.write({ ...given, document, operation, variables: values, context: asking });
      const { data, errors } = await written.catch((error: unknown) => {
        asking.progress.executed = failed(error);
        throw error;
      });
      if (!errors) return { contentType, text: `{"data":${data ?? null}}\n` };
      asking.progress.executed = Promise.resolve(data === undefined ? { errors } : { errors, data: JSON.parse(data) });
      return null;
    } catch {
      return null;
    }
  }

  /** Remembers a query that Apollo has answered. */
  learn(message: RequestHead, body: GivenBody, { repeatable }: Progress, contentType: string): void {
    const key = keyOf(message, body);
    if (repeatable && key !== undefined) this.kept.set(key, { ...repeatable, contentType });
  }
}

/**
 * What the response depends on besides variables and caller; undefined for requests that need more than a response, or one that isn't JSON.
 */
function keyOf({ method, headers }: RequestHead, body: GivenBody): string | undefined {
  const { accept = '', 'content-type': type = '', [COST_HEADER]: cost } = headers;
  const { query, operationName, variables, extensions } = body;
  const isPlain =
    method === 'POST' && cost === undefined && !extensions?.persistedQuery && /^application\/json\b/.test(type);
  if (!isPlain || typeof query !== 'string' || !isRecord(variables ?? {}) || !isRecord(extensions ?? {}))
    return undefined;
  if (operationName == null) return `${accept}\n\n${query}`;
  return typeof operationName === 'string' && /^\w+$/.test(operationName)
    ? `${accept}\n${operationName}\n${query}`
    : undefined;
}

/** A rejection that may never be awaited. */
function failed(error: unknown): Promise<never> {
  const failure = Promise.reject(error);
  failure.catch(() => undefined);
  return failure;
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);
