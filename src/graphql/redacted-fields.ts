import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { redactEmailsIn } from '../kernel/values/email-redaction.js';
import type { OperationContext } from '../kernel/verb-context.js';
import { hasRole } from '../modules/access/guard.js';

interface Owned {
  projectId: string | null;
}

/** Shows the fields that are marked `RedactedBelowEditor` without e-mail addresses to callers below Editor. */
export function redactBelowEditor(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (!field.extensions.redactedBelowEditor) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = async (source: Owned, args, operation: OperationContext, info) => {
        const value: unknown = await resolve(source, args, operation, info);
        const { projectId } = source;
        if (projectId === null || (await hasRole(operation.current, projectId, 'editor'))) return value;
        return redactEmailsIn(value);
      };
    }
  }
}
