import type pg from 'pg';
import { BoundedClient } from '../database/reading-budget.js';
import type { SpanAttributes, Tracer } from './tracer.js';

const LONGEST_SHOWN = 2_000;
const LITERAL = /'(?:[^']|'')*'/g;

interface Statement {
  text?: string;
  name?: string;
  submit?: unknown;
}

type Query = (...given: unknown[]) => unknown;

/** A PostgreSQL client whose statements become spans below a recorded span. */
export function tracedClient(tracer: Tracer): typeof pg.Client {
  return class extends BoundedClient {
    constructor(...given: ConstructorParameters<typeof pg.Client>) {
      super(...given);
      const query = this.query.bind(this) as Query;
      // An assigned method, because the overloads of `query` cannot be overridden in a typed way.
      this.query = ((...args: unknown[]) =>
        tracer.isRecording() ? tracedQuery(tracer, query, args) : query(...args)) as typeof this.query;
    }
  };
}

function tracedQuery(tracer: Tracer, query: Query, args: unknown[]): unknown {
  const statement = (typeof args[0] === 'string' ? { text: args[0] } : args[0]) as Statement;
  // Custom protocol users such as COPY or a cursor have no single end.
  if (statement.submit) return query(...args);
  const text = (statement.text ?? '').trim();
  const span = tracer.start('client', statement.name ?? (/^\w+/.exec(text)?.[0].toLowerCase() || 'statement'));
  const end = (error?: unknown) => span.end({ attributes: attributesOf(text), failed: Boolean(error) });
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    const done = (error: unknown, result: unknown) => {
      end(error);
      callback(error, result);
    };
    return query(...args.slice(0, -1), done);
  }
  return (query(...args) as Promise<unknown>).then(
    (result) => {
      end();
      return result;
    },
    (error: unknown) => {
      end(error);
      throw error;
    },
  );
}

/** Values are sent separately; any literals left in a statement are removed. */
function attributesOf(text: string): SpanAttributes {
  return { 'db.system.name': 'postgresql', 'db.query.text': text.replaceAll(LITERAL, "'?'").slice(0, LONGEST_SHOWN) };
}
