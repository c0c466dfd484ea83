import { mkdirSync, writeFileSync } from 'node:fs';
import { startRunDatabase } from '../runner/database.js';
import { eventsDocument } from './events-document.js';
import { schemaText } from './schema-text.js';

// `npm run schema`: writes schema.graphql and docs/events.md anew; the tests compare them.
const database = await startRunDatabase();
process.env.TEST_DATABASE_URL = database.url;
const { openTestApp } = await import('../support/test-app.js');
const test = await openTestApp();
writeFileSync('schema.graphql', schemaText(test.app.schema));
mkdirSync('docs', { recursive: true });
writeFileSync('docs/events.md', eventsDocument());
await test.close();
await database.stop();
