import type { DocumentNode, ExecutionResult, OperationDefinitionNode } from 'graphql';
import type { Caller, Context } from '../../kernel/context.js';
import type { Transactions } from '../../kernel/database/transactions.js';
import type { OperationContext, SessionKeeper } from '../../kernel/verb-context.js';

/** How far an operation has come; shared with the copy that Apollo makes of it. */
export interface Progress {
  /** Its maximum cost, once admitted. */
  cost?: number;
  /** Its result, once executed. */
  executed?: Promise<ExecutionResult>;
  /** The request, once answered without an error, if the next answer needn't look at it again. */
  repeatable?: { readonly document: DocumentNode; readonly operation: OperationDefinitionNode };
}

/** One GraphQL request: a reader for its queries, a transaction for each of its mutations. */
export class GraphqlOperation implements OperationContext {
  current: Context;
  readonly loaders = new Map<symbol, unknown>();
  readonly progress: Progress = {};

  constructor(
    private readonly tx: Transactions,
    readonly caller: Caller,
    readonly session?: SessionKeeper,
  ) {
    this.current = tx.reader(caller);
  }

  /** Runs one mutation in its transaction; the fields of its result are read afterwards, from committed data. */
  async mutate<T>(verb: () => Promise<T>): Promise<T> {
    try {
      return await this.tx.write(this.caller, (ctx) => {
        this.current = ctx;
        return verb();
      });
    } finally {
      this.current = this.tx.reader(this.caller);
      this.loaders.clear();
    }
  }
}
