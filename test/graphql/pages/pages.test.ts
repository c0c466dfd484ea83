import { parse, validate } from 'graphql';
import * as assert from 'uvu/assert';
import { type FilledProject, fillProject } from '../../contract/filled-project.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { recordReads } from '../../support/statements.js';
import { pageDocuments, pageVariables } from './page-documents.js';

const MOST_STATEMENTS = 8;
const pages = worldSuite<{ filled: FilledProject }>('pages of a dashboard', {
  worker: true,
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
});

pages.before(async (context) => {
  context.filled = await fillProject(context.test, context.world);
});

for (const { name, text } of pageDocuments()) {
  pages(`${name} is one request of at most ${MOST_STATEMENTS} statements`, async ({ test, world, filled }) => {
    const document = parse(text);
    assert.equal(validate(test.app.schema, document), []);
    const variables = pageVariables(document, filled);
    let fewest: string[] | undefined;
    // The worker's own statements show up in only some of the attempts.
    for (let attempt = 0; attempt < 5 && !(fewest && fewest.length <= MOST_STATEMENTS); attempt++) {
      const { result, statements } = await recordReads(() =>
        world.owner.client.graphql<Record<string, unknown>>(text, variables),
      );
      for (const [root, value] of Object.entries(result)) assert.ok(value, `${root} is there`);
      fewest = statements.map((statement) => statement.text);
    }
    assert.ok(fewest && fewest.length <= MOST_STATEMENTS, `${fewest?.length} statements:\n${fewest?.join('\n')}`);
  });
}

pages.run();
