import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Executor } from '../plan/planned-executor.js';
import type { Admission, Variables } from './admission.js';
import { COST_HEADER } from './cost-report.js';
import type { GraphqlOperation, Progress } from './operation.js';

const MOST_KEPT = 64;

/** A query that Apollo has let through, and the type of its answer for callers who accept the same. */
type Known = NonNullable<Progress['repeatable']> & { readonly contentType: string };

/** The JSON of a request by POST. */
interface GivenBody {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: { persistedQuery?: unknown } | null;
}

type Asking = Pick<IncomingMessage, 'method' | 'headers'>;

/** An answer as Apollo would give it. */
export interface RepeatedAnswer {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Answers queries that come again past the thirty steps that Apollo takes for each: their text is valid and their type is chosen. They are
 * admitted and executed as there, and what has an error goes on to Apollo as far as it has come.
 */
export class RepeatedQueries {
  private readonly kept = new LRUCache<string, Known>({ max: MOST_KEPT });

  constructor(
    private readonly admission: Admission,
    private readonly executor: Executor,
  ) {}

  /** What is known about the query that a request asks; undefined where Apollo is to answer. */
  known(message: Asking, body: GivenBody): Known | undefined {
    const key = keyOf(message, body);
    return key === undefined ? undefined : this.kept.get(key);
  }

  /** The answer, or null where it has an error, or the operation could not begin. */
  async answer(known: Known, body: GivenBody, begun: Promise<GraphqlOperation>): Promise<RepeatedAnswer | null> {
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

  /** Keeps a query that Apollo has answered. */
  learn(message: Asking, body: GivenBody, { repeatable }: Progress, contentType: string): void {
    const key = keyOf(message, body);
    if (repeatable && key !== undefined) this.kept.set(key, { ...repeatable, contentType });
  }
}

/** What answers depend on besides variables and caller; undefined for requests that ask for more than an answer, or not in JSON. */
function keyOf({ method, headers }: Asking, body: GivenBody): string | undefined {
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

/** A failure that nobody may come to look at. */
function failed(error: unknown): Promise<never> {
  const failure = Promise.reject(error);
  failure.catch(() => undefined);
  return failure;
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);
