import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { roleAtLeast } from '../kernel/actor.js';
import type { Context } from '../kernel/context.js';
import { redactEmailsIn } from '../kernel/values/email-redaction.js';
import type { OperationContext } from '../kernel/verb-context.js';
import { hasRole, roleAtOnce } from '../modules/access/guard.js';

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
      if (!field.resolve) field.extensions = { ...field.extensions, madeOf: [field.name, 'projectId'] };
      field.resolve = (source: Owned, args, operation: OperationContext, info) =>
        shown(operation, source.projectId, resolve(source, args, operation, info));
    }
  }
}

/** The value as the caller may see it; at once where both it and the caller's role are known. */
function shown({ current }: OperationContext, projectId: string | null, value: unknown): unknown {
  if (projectId === null) return value;
  const role = roleAtOnce(current, projectId);
  if (!role || value instanceof Promise) return shownLater(current, projectId, value);
  return roleAtLeast(role, 'editor') ? value : redactEmailsIn(value);
}

async function shownLater(ctx: Context, projectId: string, value: unknown): Promise<unknown> {
  const settled = await value;
  return (await hasRole(ctx, projectId, 'editor')) ? settled : redactEmailsIn(settled);
}
