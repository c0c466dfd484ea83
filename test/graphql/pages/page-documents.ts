import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DocumentNode, Kind } from 'graphql';

const folder = 'test/graphql/pages';

/** The pages of a dashboard, one document each. */
export function pageDocuments(): { name: string; text: string }[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .map((file) => ({ name: basename(file, '.graphql'), text: readFileSync(join(folder, file), 'utf8') }));
}

/** Values from a filled project for the required variables of a document. */
export function pageVariables(
  document: DocumentNode,
  filled: Readonly<Record<string, readonly unknown[]>>,
): Record<string, unknown> {
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('a page is one operation');
  const required = operation.variableDefinitions?.filter(({ type }) => type.kind === Kind.NON_NULL_TYPE) ?? [];
  return Object.fromEntries(required.map(({ variable: { name } }) => [name.value, filled[name.value]?.[0]]));
}
