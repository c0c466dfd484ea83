import type { ApolloServerPlugin } from '@apollo/server';
import { LIMITS } from '../limits.js';
import type { GraphqlOperation } from './operation.js';

/** Send this header, with any value, to get the cost of the operation. */
export const COST_HEADER = 'graphql-cost';

/** Adds `extensions.cost` to responses for callers who ask for it: the fields the response could have had, and the fields it has. */
export const costReport: ApolloServerPlugin<GraphqlOperation> = {
  async requestDidStart({ request }) {
    if (!request.http?.headers.has(COST_HEADER)) return;
    return {
      async willSendResponse({ contextValue, response: { body } }) {
        if (body.kind !== 'single' || contextValue.progress.cost === undefined) return;
        const cost = {
          requested: contextValue.progress.cost,
          actual: fieldsIn(body.singleResult.data),
          limit: LIMITS.cost,
        };
        body.singleResult.extensions = { ...body.singleResult.extensions, cost };
      },
    };
  },
};

function fieldsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + fieldsIn(item), 0);
  if (typeof value !== 'object' || value === null || value instanceof Date) return 0;
  return Object.values(value).reduce((sum: number, field) => sum + 1 + fieldsIn(field), 0);
}
