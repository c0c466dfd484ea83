import type { GraphQLSchema } from 'graphql';
import { keptAlong, plainSize, type ReadAlong } from '../../kernel/lists/read-along.js';
import { objectFields } from '../object-fields.js';

/** Lets fields answer from data read along with their object, without calling their resolver. The resolver reads whatever is missing. */
export function answerWhatWasReadAlong(schema: GraphQLSchema): void {
  for (const field of objectFields(schema)) {
    const along = field.extensions.readAlong as ReadAlong | undefined;
    const { resolve } = field;
    if (!along || !resolve) continue;
    const { list, answer } = along;
    field.resolve = (source: object, args, operation, info) => {
      const first = answer ? 1 : plainSize(args);
      const page = first === null ? undefined : keptAlong(source, list, first);
      if (!page) return resolve(source, args, operation, info);
      if (!answer) return page;
      const row = page.nodes[0] ?? null;
      // The code that preset the field named the type of its objects.
      return answer === 'row' ? row : answer(source as never, row);
    };
  }
}
