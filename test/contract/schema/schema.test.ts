import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openTestApp } from '../../support/test-app.js';
import { schemaText } from './schema-text.js';

const schema = suite('schema.graphql');

schema('matches the resolvers (npm run schema writes it)', async () => {
  const test = await openTestApp();
  try {
    assert.fixture(readFileSync('schema.graphql', 'utf8'), schemaText(test.app.schema));
  } finally {
    await test.close();
  }
});

schema.run();
