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
