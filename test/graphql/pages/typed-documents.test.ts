import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildSchema, NoDeprecatedCustomRule, parse, specifiedRules, validate } from 'graphql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const pages = 'test/graphql/pages';

const typed = suite('the published schema for code generators');

typed('produces typed documents for all pages, and they compile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-codegen-'));
  try {
    const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
    const documents = readdirSync(pages)
      .filter((file) => file.endsWith('.graphql'))
      .map((file) => {
        const rawSDL = readFileSync(join(pages, file), 'utf8');
        return { location: file, rawSDL, document: parse(rawSDL) };
      });
    for (const { document, location } of documents)
      assert.equal(validate(schema, document, [...specifiedRules, NoDeprecatedCustomRule]), [], location);
    const outputs = await preset.buildGeneratesSection({
      baseOutputDir: `${folder}/`,
      schema: parse(readFileSync('schema.graphql', 'utf8')),
      schemaAst: schema,
      documents,
      config: { useTypeImports: true, enumsAsTypes: true },
      presetConfig: { fragmentMasking: false },
      plugins: [],
      pluginMap: {},
    });
    for (const output of outputs) {
      const file = join(folder, output.filename.replace(folder, ''));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, await codegen({ ...output, filename: file }));
    }
    const names = documents.map(({ document }) => {
      const [operation] = document.definitions;
      return operation && 'name' in operation ? `${operation.name?.value}Document` : '';
    });
    writeFileSync(
      join(folder, 'use.ts'),
      `import type { ResultOf, VariablesOf } from '@graphql-typed-document-node/core';
import { ${names.join(', ')} } from './graphql';
const variables: VariablesOf<typeof FlagPageDocument> = { flagId: 'flg_1' };
const halted = (page: ResultOf<typeof FlagPageDocument>): boolean => page.flag?.haltedAt !== null;
export const all = [${names.join(', ')}, variables, halted];
`,
    );
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'preserve',
      '--target',
      'es2022',
      '--types',
      '',
    ];
    const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const compiled = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...options, ...files], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.is(compiled.status, 0, compiled.stdout);
    assert.is(names.length, documents.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

typed.run();
