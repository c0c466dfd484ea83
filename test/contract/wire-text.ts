import type { ErrorRow } from '../../rest/face/error-table.js';
import type { Route } from '../../rest/route.js';

/** Every REST path with its runner's requirements, one per line, sorted by path. */
export function pathsText(routes: readonly Route[]): string {
  const lines = routes.flatMap((row) => {
    const limit = row.limit ? ` limit ${row.limit.bucket} ${row.limit.perMinute}/min` : '';
    const who = row.least ? ` least ${row.least}` : row.scope ? ` scope ${row.scope}` : '';
    const fast = row.fast ? ' fast' : '';
    const cors = row.caller.crossOrigin ? ' cors' : '';
    const body = row.body ? `${row.body.reads} ${row.body.cap}` : 'none';
    return [row.path, ...(row.aliases ?? [])].map(
      (path) => `${path} ${row.method} body ${body}${who}${limit}${cors}${fast}`,
    );
  });
  return `${lines.sort().join('\n')}\n`;
}

/** Every error table with the routes that use it: the exact status and body of each failure. */
export function errorsText(routes: readonly Route[]): string {
  const users = new Map<string, string[]>();
  for (const { method, path, errors } of routes) {
    const table = tableText(errors);
    users.set(table, [...(users.get(table) ?? []), `${method} ${path}`]);
  }
  const parts = [...users].map(([table, names]) => `${names.sort().join('\n')}\n${table}\n`);
  return parts.sort().join('\n');
}

function tableText(errors: Readonly<Record<string, ErrorRow>>): string {
  const lines = Object.entries(errors).map(
    ([code, { status, body }]) => `    ${code}: ${status} ${JSON.stringify(body(namedDetails, '<message>'))}`,
  );
  return lines.sort().join('\n');
}

/** Details whose every field is its own name; lists have one such entry. */
const namedDetails: Readonly<Record<string, unknown>> = new Proxy(
  {},
  {
    get: (_, field) => {
      if (typeof field !== 'string' || field === 'toJSON') return undefined;
      return field === 'invalid' || field === 'missing' ? [namedDetails] : `<${field}>`;
    },
  },
);
