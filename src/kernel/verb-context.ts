import DataLoader from 'dataloader';
import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { createParameterDecorator } from 'type-graphql';
import type { Context } from './context.js';

/** What a GraphQL operation carries: `current` is the mutation's transaction while one runs, else the operation's reader. */
export interface OperationContext {
  current: Context;
  /** Batched loaders of this operation, made on first use by key. */
  readonly loaders: Map<symbol, unknown>;
  /** Whether the field that is being answered is a list that must say how long it is. */
  readonly wantsTotal?: boolean;
  /** The cookie of the browser that asks; absent where an answer can set none. */
  readonly session?: SessionKeeper;
}

/** Puts the token of a session into a browser's cookie. */
export interface SessionKeeper {
  keep(token: string): void;
  forget(): void;
}

/** Parameter decorator for resolvers: the {@link Context} of the running verb. */
export function VerbContext(): ParameterDecorator {
  return createParameterDecorator<OperationContext>(({ context }) => context.current) as ParameterDecorator;
}

/** Parameter decorator for field resolvers: the operation itself, for its loaders and for what the field is asked for. */
export function Operation(): ParameterDecorator {
  return createParameterDecorator<OperationContext>(({ context, info }) =>
    asksForTotal(info) ? Object.create(context, { wantsTotal: { value: true } }) : context,
  ) as ParameterDecorator;
}

function asksForTotal({ fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const isTotal = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return TOTAL.has(selection.name.value);
      const { selectionSet } =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : (fragments[selection.name.value] ?? {});
      return selectionSet !== undefined && isTotal(selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && isTotal(selectionSet));
}

const TOTAL: ReadonlySet<string> = new Set(['totalCount', 'isEstimate']);

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
