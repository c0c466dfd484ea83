import DataLoader from 'dataloader';
import { createParameterDecorator } from 'type-graphql';
import type { Context } from './context.js';

/** What a GraphQL operation carries: `current` is the mutation's transaction while one runs, else the operation's reader. */
export interface OperationContext {
  current: Context;
  /** Batched loaders of this operation, made on first use by key. */
  readonly loaders: Map<symbol, unknown>;
}

/** Parameter decorator for resolvers: the {@link Context} of the running verb. */
export function VerbContext(): ParameterDecorator {
  return createParameterDecorator<OperationContext>(({ context }) => context.current) as ParameterDecorator;
}

/** Parameter decorator for field resolvers: the operation itself, for its loaders. */
export function Operation(): ParameterDecorator {
  return createParameterDecorator<OperationContext>(({ context }) => context) as ParameterDecorator;
}

/** The operation's loader of this key, made on first use; what the fields of one level ask for comes in one batch. */
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
