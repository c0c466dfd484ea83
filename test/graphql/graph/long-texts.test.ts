import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildWorld } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { openTestApp } from '../../support/test-app.js';

const x = suite('texts of inputs');

x('are accepted up to the documented limit, and refused beyond', async () => {
  const test = await openTestApp();
  try {
    const world = await buildWorld(test);
    const { client } = world.owner;
    const { id: flagId } = await buildFlag(world);
    const { id: itemId } = await buildConfigItem(world, {});
    const { id: surveyId } = await buildSurvey(world);
    const { createBoard } = await client.graphql<{ createBoard: { id: string } }>(
      'mutation($input: CreateBoardInput!) { createBoard(input: $input) { id } }',
      { input: { projectId: world.projectId, name: 'Board' } },
    );
    const { configItem } = await client.graphql<{ configItem: { versions: { nodes: { id: string }[] } } }>(
      'query($id: ID!) { configItem(id: $id) { versions { nodes { id } } } }',
      { id: itemId },
    );
    const versionId = configItem.versions.nodes[0]?.id;
    const question = { id: 'why', kind: 'text', prompt: 'Why?' };
    const texts: [number, string, string, (text: string) => object][] = [
      [65_536, 'haltFlag', 'HaltFlagInput', (reason) => ({ flagId, reason })],
      [65_536, 'resumeFlag', 'ResumeFlagInput', (note) => ({ flagId, note })],
      [10_000, 'updateFlag', 'UpdateFlagInput', (note) => ({ flagId, note })],
      [65_536, 'rollbackConfigItem', 'RollbackConfigItemInput', (note) => ({ itemId, versionId, note })],
      [10_000, 'updateSurvey', 'UpdateSurveyInput', (description) => ({ id: surveyId, description })],
      [
        10_000,
        'updateSurvey',
        'UpdateSurveyInput',
        (helpText) => ({ id: surveyId, questions: [{ ...question, helpText }] }),
      ],
      [
        100_000,
        'createTicket',
        'CreateTicketInput',
        (description) => ({ boardId: createBoard.id, title: 'x', description }),
      ],
    ];
    for (const [most, field, type, input] of texts) {
      const ask = async (length: number) => {
        const query = `mutation($input: ${type}!) { ${field}(input: $input) { __typename } }`;
        const { body } = await client.post('/graphql', { query, variables: { input: input('a'.repeat(length)) } });
        return (body as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code;
      };
      assert.ok(['INVALID_INPUT', 'BAD_SURVEY'].includes((await ask(most + 1)) ?? ''), `${field} beyond ${most}`);
      assert.is(await ask(most), undefined, `${field} with ${most}`);
    }
  } finally {
    await test.close();
  }
});

x.run();
