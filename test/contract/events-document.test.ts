import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeEventKinds } from '../../src/modules/webhooks/subscriptions/event-kinds.js';
import { eventsDocument } from './events-document.js';

const document = suite('docs/events.md');

document('matches the catalog (npm run schema writes it)', () => {
  assert.fixture(readFileSync('docs/events.md', 'utf8'), eventsDocument());
});

document('every kind is module.entity.what_happened with a JSON Schema that compiles', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { kind, description, schema } of describeEventKinds()) {
    assert.match(kind, /^[a-z]+\.[a-z_]+\.[a-z_]+$/);
    assert.match(description, /^[A-Z].*\.$/);
    assert.type(ajv.compile(schema), 'function');
  }
});

document.run();
