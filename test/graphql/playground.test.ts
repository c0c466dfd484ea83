import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadPlayground } from '../../src/graphql/playground/playground.js';
import { playgroundExamples } from '../../src/graphql/playground/playground-examples.js';

const playground = suite('playground');

playground('loads nothing from another origin', async () => {
  const { html, assets, headers } = await loadPlayground('/playground', '/graphql');
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, url]) => url ?? '')
    .filter((url) => url !== 'data:,');
  assert.is(loaded.length, 6);
  for (const url of loaded) assert.ok(assets.has(url), `${url} is not among the assets`);
  assert.not.match(headers['content-security-policy'] ?? '', /https?:|\*|unsafe-eval/);
  assert.match(headers['content-security-policy'] ?? '', "default-src 'none'");
});

playground('has no inline script, which the policy would stop', async () => {
  const { html } = await loadPlayground();
  assert.not.match(html, /<script(?![^>]* src=)/);
  assert.not.match(html, / on\w+="/);
});

playground('names assets by their content', async () => {
  const first = await loadPlayground('/playground', '/graphql');
  const second = await loadPlayground('/playground', '/elsewhere');
  const changed = [...second.assets.keys()].filter((path) => !first.assets.has(path));
  assert.is(changed.length, 1);
  assert.match(changed[0] ?? '', /\/page\.js$/);
});

playground('every example is valid against the schema', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  for (const { query } of playgroundExamples) {
    assert.equal(
      validate(schema, parse(query)).map(({ message }) => message),
      [],
    );
  }
});

playground('every example is named, for the tab bears the name', () => {
  for (const { query } of playgroundExamples) assert.match(query, /^(?:#.*\n)*(?:query|mutation) [A-Z]\w+/);
});

playground.run();
