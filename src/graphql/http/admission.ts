import {
  BREAK,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { boundReading } from '../../kernel/database/reading-budget.js';
import type { CostBudget } from '../cost-budget.js';
import type { IntrospectionCosts } from '../introspection-cost.js';
import { checkLimits, LIMITS } from '../limits.js';
import type { GraphqlOperation } from './operation.js';

export interface AdmissionOptions {
  schema: GraphQLSchema;
  /** Whether anonymous callers may read the schema. */
  openIntrospection: boolean;
  /** How much tokens may spend, streams included. */
  budget: CostBudget;
  introspection: IntrospectionCosts;
  /** Time limit for all statements of one query, in milliseconds. */
  readingMs: number;
}

export type Variables = Readonly<Record<string, unknown>>;

/** Checks valid operations before they are executed: limits, the caller's budget, schema access. */
export class Admission {
  constructor(private readonly options: AdmissionOptions) {}

  /** Admits an operation and charges its cost, once. Throws a {@link GraphQLError}. */
  admit(asking: GraphqlOperation, document: DocumentNode, operation: OperationDefinitionNode, given: Variables): void {
    const { schema, openIntrospection, budget, introspection, readingMs } = this.options;
    if (asking.progress.cost !== undefined) return;
    if (operation.operation === 'subscription')
      throw new GraphQLError('Send subscriptions to /graphql/stream, or with Accept: text/event-stream.', {
        extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
      });
    const cost = checkLimits(schema, document, operation, given, introspection);
    budget.spend(asking.caller, cost);
    if (operation.operation === 'query') boundReading({ bytes: LIMITS.rowBytes, milliseconds: readingMs });
    if (!openIntrospection && asking.caller.actor.kind === 'anonymous' && introspects(document))
      throw new GraphQLError('Sign in to read the schema.', {
        extensions: { code: 'INTROSPECTION_REFUSED', http: { status: 400 } },
      });
    asking.progress.cost = cost;
  }
}

export function introspects(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field(node) {
      if (node.name.value === '__schema' || node.name.value === '__type') {
        found = true;
        return BREAK;
      }
      return undefined;
    },
  });
  return found;
}
