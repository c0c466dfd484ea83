import type { DocumentNode, ExecutionResult, OperationDefinitionNode } from 'graphql';
import type { Caller, Context } from '../../kernel/context.js';
import type { Transactions } from '../../kernel/database/transactions.js';
import type { OperationContext, SessionKeeper } from '../../kernel/verb-context.js';

/** How far an operation has come; shared with the copy that Apollo makes of each. */
export interface Progress {
  /** What it costs at most, once that is allowed. */
  cost?: number;
  /** What it comes to, once it is executed. */
  executed?: Promise<ExecutionResult>;
  /** What was asked, once it was answered without an error, where the next answer need not look at it again. */
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

  /** Runs one mutation in its transaction; the fields of its result are read afterwards, from what is committed. */
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
