/**
 * Generates `dist/documents/console/graphql.ts` from the GraphQL documents in `src/console`, with their text and types,
 * using graphql-codegen's client preset, and `documents.json` with the text of each, for the server to trust. A document
 * that does not match the schema fails the build.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, 'dist/documents/console');

const SCALARS = {
  BigInt: 'number',
  Date: 'string',
  DateTimeISO: 'string',
  JSON: 'unknown',
  JSONObject: 'Record<string, unknown>',
  URL: 'string',
  Upload: 'File',
};

export async function writeDocuments() {
  const { codegen } = await import('@graphql-codegen/core');
  const { preset } = await import('@graphql-codegen/client-preset');
  const { buildSchema, parse, print, separateOperations, validate } = await import('graphql');
  const text = readFileSync(join(root, 'schema.graphql'), 'utf8');
  const documents = readdirSync(join(root, 'src/console'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => {
      const rawSDL = readFileSync(join(root, 'src/console', name), 'utf8');
      return { location: name, rawSDL, document: parse(rawSDL) };
    });
  const whole = parse(documents.map(({ rawSDL }) => rawSDL).join('\n'));
  const faults = validate(buildSchema(text), whole);
  if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join('\n'));
  const parts = await preset.buildGeneratesSection({
    baseOutputDir: `${out}/`,
    schema: parse(text),
    documents,
    config: {
      documentMode: 'string',
      enumsAsTypes: true,
      useTypeImports: true,
      scalars: SCALARS,
    },
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
  });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'documents.json'), JSON.stringify(Object.values(separateOperations(whole)).map(print)));
  for (const part of parts.filter(({ filename }) => filename.endsWith('/graphql.ts')))
    writeFileSync(part.filename, await codegen(part));
}
