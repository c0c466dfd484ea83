import DataLoader from 'dataloader';
import { createParameterDecorator } from 'type-graphql';
import type { Context } from './context.js';
import { type AskedOfList, askedOfList } from './lists/look-ahead.js';

/** What a GraphQL operation carries: `current` is the mutation's transaction while one runs, else the operation's reader. */
export interface OperationContext {
  current: Context;
  /** Batched loaders of this operation, made on first use by key. */
  readonly loaders: Map<symbol, unknown>;
  /** What the list that is being answered is asked for; absent for other fields. */
  readonly asked?: AskedOfList;
  /** The cookie of the browser that asks; absent where an answer can set none. */
  readonly session?: SessionKeeper;
}

/** Puts the token of a session into a browser's cookie. */
export interface SessionKeeper {
  /** Whether the caller is known by the cookie that came. */
  readonly isCallers: boolean;
  keep(token: string): void;
  forget(): void;
}

/** Parameter decorator for resolvers: the {@link Context} of the running verb. */
export function VerbContext(): ParameterDecorator {
  return createParameterDecorator<OperationContext>(({ context }) => context.current) as ParameterDecorator;
}

/** Parameter decorator for field resolvers: the operation itself, for its loaders and for what the field is asked for. */
export function Operation(): ParameterDecorator {
  return createParameterDecorator<OperationContext>(({ context, info }) => {
    const asked = askedOfList(info);
    return asked ? Object.create(context, { asked: { value: asked } }) : context;
  }) as ParameterDecorator;
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
