import type { ApolloServerPlugin } from '@apollo/server';
import { LIMITS } from '../limits.js';
import type { GraphqlOperation } from './operation.js';

/** Callers who send this header, with any value, are told what their operation cost. */
export const COST_HEADER = 'graphql-cost';

/** Adds `extensions.cost` to the answers of callers who ask for it: fields that the answer could have had, and those that it has. */
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
