import { type GraphQLSchema, isObjectType } from 'graphql';

/** What a field's source brings along of its answer; undefined where the resolver has to read it. */
export type AtHand = (source: never, args: never) => unknown;

/** Lets fields with the extension `atHand` answer without their resolver what their source brings along. */
export function answerWhatIsAtHand(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const atHand = field.extensions.atHand as AtHand | undefined;
      const { resolve } = field;
      if (!atHand || !resolve) continue;
      field.resolve = (source, args, operation, info) => {
        const answer = atHand(source as never, args as never);
        return answer === undefined ? resolve(source, args, operation, info) : answer;
      };
    }
  }
}
