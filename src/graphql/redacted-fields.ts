import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { roleAtLeast } from '../kernel/actor.js';
import type { Context } from '../kernel/context.js';
import { type Redaction, redactEmailsIn } from '../kernel/values/email-redaction.js';
import type { OperationContext } from '../kernel/verb-context.js';
import type { EdgeTo } from '../modules/access/graph/edge.js';
import { hasRole, roleAtOnce } from '../modules/access/guard.js';
import { loadOnce } from '../modules/access/visible-node.js';

interface Owned {
  projectId: string | null;
}

/** Removes email addresses from fields marked `RedactedBelowEditor` for callers below Editor. */
export function redactBelowEditor(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    const fields = type.getFields();
    for (const field of Object.values(fields)) {
      const redaction = field.extensions.redactedBelowEditor as Redaction | undefined;
      if (!redaction) continue;
      const { redact = redactEmailsIn, projectOf } = redaction;
      const owner = projectOf ? (fields[projectOf]?.extensions.edge as EdgeTo) : null;
      const resolve = field.resolve ?? defaultFieldResolver;
      if (!field.resolve)
        field.extensions = { ...field.extensions, madeOf: [field.name, owner ? owner.by : 'projectId'] };
      const show = owner ? shownByOwner(owner, redact) : shownByProject(redact);
      field.resolve = (source: object, args, operation: OperationContext, info) => {
        const value: unknown = resolve(source, args, operation, info);
        if (!(value instanceof Promise)) return show(operation.current, source, value);
        return value.then((settled) => show(operation.current, source, settled));
      };
    }
  }
}

type Redact = NonNullable<Redaction['redact']>;

/** Shows a value as the caller may see it, synchronously if it has no address or the caller's role is known. */
type Show = (ctx: Context, source: object, value: unknown) => unknown;

function shownByProject(redact: Redact): Show {
  return (ctx, source, value) => {
    const { projectId } = source as Owned;
    if (projectId === null) return value;
    const role = roleAtOnce(ctx, projectId);
    if (role && roleAtLeast(role, 'editor')) return value;
    const redacted = redact(value, source);
    return role || redacted === value ? redacted : shownToEditors(ctx, projectId, value, redacted);
  };
}

/** Objects that don't name their project cost nothing unless they contain an address; only then is their owner read. */
function shownByOwner({ target, by }: EdgeTo, redact: Redact): Show {
  return (ctx, source, value) => {
    const redacted = redact(value, source);
    if (redacted === value) return value;
    return loadOnce(ctx, target(), (source as Record<string, string>)[by] as string).then((owner) =>
      owner ? shownToEditors(ctx, (owner as unknown as Owned).projectId as string, value, redacted) : redacted,
    );
  };
}

async function shownToEditors(ctx: Context, projectId: string, value: unknown, redacted: unknown): Promise<unknown> {
  return (await hasRole(ctx, projectId, 'editor')) ? value : redacted;
}
