import { mkdirSync, writeFileSync } from 'node:fs';
import { writeDocumentBlock } from '../../harness/document-block.js';
import { startThrowawayDatabase } from '../../runner/database.js';
import { typeTable } from '../../targeting/type-table.js';
import { writeVectors } from '../../targeting/vectors.js';
import { eventsDocument } from '../events-document.js';
import { openApiText } from '../openapi/openapi-text.js';
import { schemaText } from './schema-text.js';

// `npm run schema`: regenerates schema.graphql, docs/events.md, docs/openapi.json, docs/vectors and the types of
// docs/targeting.md. The tests compare them.
const database = await startThrowawayDatabase();
process.env.TEST_DATABASE_URL = database.url;
const { restRoutes } = await import('../../../rest/routes.js');
const { openTestApp } = await import('../../support/test-app.js');
const test = await openTestApp();
writeFileSync('schema.graphql', schemaText(test.app.schema));
mkdirSync('docs', { recursive: true });
writeFileSync('docs/events.md', eventsDocument());
writeFileSync('docs/openapi.json', openApiText(restRoutes(test.app)));
writeVectors();
writeDocumentBlock('targeting.md', 'types', typeTable);
await test.close();
await database.stop();
