import * as assert from 'uvu/assert';
import { refusalOf } from '../support/client.js';
import { buildSubscription } from '../support/factories/webhook-factory.js';
import { worldSuite } from '../support/factories/world-suite.js';

const moment = worldSuite('changes in one millisecond');

moment(
  'each get a time of their own, so that a change based on the state before is refused',
  async ({ test, world }) => {
    const { client } = world.owner;
    const { id } = await buildSubscription(world, 'https://example.com/hook', ['*']);
    test.clock.set(new Date());
    const project = { type: 'UpdateProjectInput', verb: 'updateProject', id: world.projectId, field: 'name' };
    const subscription = {
      type: 'UpdateWebhookSubscriptionInput',
      verb: 'updateWebhookSubscription',
      id,
      field: 'description',
    };
    const cases = [
      { ...project, code: 'PROJECT_CHANGED_MEANWHILE' },
      { ...subscription, code: 'SUBSCRIPTION_VERSION_CONFLICT' },
    ];
    for (const { type, verb, id, field, code } of cases) {
      const change = async (text: string, expectedUpdatedAt?: string): Promise<string> => {
        const input = { id, [field]: text, ...(expectedUpdatedAt ? { expectedUpdatedAt } : {}) };
        const query = `mutation($input: ${type}!) { change: ${verb}(input: $input) { updatedAt } }`;
        return (await client.graphql<{ change: { updatedAt: string } }>(query, { input })).change.updatedAt;
      };
      const mine = await change('mine');
      const theirs = await change('theirs');
      assert.is((await refusalOf(change('mine again', mine))).code, code);
      assert.ok((await change('theirs again', theirs)) > theirs);
    }
  },
);

moment.run();
