import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, Kind, NoDeprecatedCustomRule, parse, specifiedRules, validate, visit } from 'graphql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const documents = suite('console: documents');

/** Mutations of the schema that no console document uses, each with the reason. */
const UNUSED_MUTATIONS: Readonly<Record<string, string>> = {
  deleteDocuments: 'for the operators of clients that store their documents',
  signIn: 'the console signs in with a cookie',
  storeDocuments: 'for the operators of clients that store their documents',
  transitionTicket: 'one ticket is moved as several are',
  uploadSymbolArtifact: 'files go in parts, which a broken line does not begin anew',
};

const folder = 'src/console';
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const text = names
  .filter((name) => name.endsWith('.graphql'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));

function usedMutations(): Set<string> {
  const used = new Set<string>();
  visit(parse(text), {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== 'mutation') return;
      for (const selection of selectionSet.selections)
        if (selection.kind === Kind.FIELD) used.add(selection.name.value);
    },
  });
  return used;
}

documents('all match the schema, use nothing deprecated, and have unique names', () => {
  assert.equal(
    validate(schema, parse(text), [...specifiedRules, NoDeprecatedCustomRule]).map(({ message }) => message),
    [],
  );
});

documents('every mutation of the schema is used by a document or listed with a reason', () => {
  const all = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const used = usedMutations();
  assert.equal(
    all.filter((name) => !used.has(name) && !(name in UNUSED_MUTATIONS)),
    [],
    'neither used nor listed',
  );
  assert.equal(
    Object.keys(UNUSED_MUTATIONS).filter((name) => used.has(name) || !all.includes(name)),
    [],
    'listed, but used or gone',
  );
});

documents('every document is used by a page', () => {
  const code = names
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const unused = [...text.matchAll(/^(?:query|mutation) (\w+)/gm)]
    .map(([, name]) => `${name}Document`)
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
  assert.equal(unused, []);
});

documents('every mutation that the cache knows of exists', () => {
  const told = [...readFileSync('src/console/data/lists-changed.ts', 'utf8').matchAll(/^ {2}(\w+):/gm)].map(
    ([, name]) => name ?? '',
  );
  const all = Object.keys(schema.getMutationType()?.getFields() ?? {});
  assert.ok(told.length > 40);
  assert.equal(
    told.filter((name) => !all.includes(name)),
    [],
  );
});

documents.run();
