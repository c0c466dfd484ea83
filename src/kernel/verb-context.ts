import DataLoader from 'dataloader';
import { createParameterDecorator } from 'type-graphql';
import type { Context } from './context.js';
import { type ListSelection, listSelection } from './lists/look-ahead.js';

/**
 * The context of a GraphQL operation: `current` is the mutation's transaction while one runs, else the operation's
 * reader.
 */
export interface OperationContext {
  current: Context;
  /** Batched loaders of this operation by key, created on first use. */
  readonly loaders: Map<symbol, unknown>;
  /** What the operation selects from the current list; absent for other fields. */
  readonly selection?: ListSelection;
  /** The browser's session cookie; absent where a response cannot set one. */
  readonly session?: SessionKeeper;
}

/** Stores a session token in the browser's cookie. */
export interface SessionKeeper {
  /** Whether the caller was authenticated by the cookie. */
  readonly isCallers: boolean;
  keep(token: string): void;
  forget(): void;
}

/** Parameter decorator for resolvers: the {@link Context} of the running verb. */
export function VerbContext(): ParameterDecorator {
  return createParameterDecorator<OperationContext>(({ context }) => context.current) as ParameterDecorator;
}

/** Parameter decorator for field resolvers: the operation, with its loaders and what it selects from the field. */
export function Operation(): ParameterDecorator {
  return createParameterDecorator<OperationContext>(({ context, info }) => {
    const selection = listSelection(info);
    return selection ? Object.create(context, { selection: { value: selection } }) : context;
  }) as ParameterDecorator;
}

/** The operation's loader for this key, created on first use; requests from fields of one level are batched. */
export function loader<K, V, C = K>(
  operation: OperationContext,
  key: symbol,
  batch: DataLoader.BatchLoadFn<K, V>,
  cacheKeyFn?: (key: K) => C,
): DataLoader<K, V, C> {
  let found = operation.loaders.get(key) as DataLoader<K, V, C> | undefined;
  if (!found) {
    found = new DataLoader<K, V, C>(batch, cacheKeyFn ? { cacheKeyFn } : {});
    operation.loaders.set(key, found);
  }
  return found;
}
