import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import type { World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const serving = worldSuite('what a rule serves');

const CREATE_FLAG = `mutation($input: CreateFlagInput!) {
  createFlag(input: $input) { value rules { variant split { variant weight } } }
}`;

const flag = (world: World, key: string, serve: object) =>
  world.owner.client.graphql<{ createFlag: object }>(CREATE_FLAG, {
    input: { projectId: world.projectId, environment: 'live', key, rules: [{ serve }] },
  });

serving('is a variant of a flag, or a split', async ({ world }) => {
  assert.equal((await flag(world, 'serve-one', { variant: 'on' })).createFlag, {
    value: false,
    rules: [{ variant: 'on', split: null }],
  });
  const split = [
    { variant: 'off', weight: 1 },
    { variant: 'on', weight: 3 },
  ];
  assert.equal((await flag(world, 'serve-split', { split })).createFlag, {
    value: false,
    rules: [{ variant: 'on', split }],
  });
});

serving('is never both, nor neither', async ({ world }) => {
  const split = [{ variant: 'on', weight: 1 }];
  for (const serve of [{ variant: 'on', split }, {}, { variant: null }])
    assert.match((await refusalOf(flag(world, 'serve-none', serve))).message, /Exactly one key|must be non-null/);
});

serving('is a value of a config item, or a split, and its text is parsed', async ({ world }) => {
  const { createConfigItem } = await world.owner.client.graphql<{ createConfigItem: { id: string } }>(
    `mutation($input: CreateConfigItemInput!) {
      createConfigItem(input: $input) { id rules { value split { value weight } } rule { value json } }
    }`,
    {
      input: {
        projectId: world.projectId,
        environment: 'live',
        key: 'serve.limit',
        type: 'int',
        value: '1',
        rules: [
          { conditions: [{ attribute: 'cohort', values: ['beta'] }], serve: { value: '7' } },
          { serve: { split: [{ value: '8', weight: 1 }] } },
        ],
      },
    },
  );
  assert.equal(
    { ...createConfigItem, id: '' },
    {
      id: '',
      rules: [
        { value: '7', split: null },
        { value: '8', split: [{ value: '8', weight: 1 }] },
      ],
      rule: { value: '7', json: 7 },
    },
  );
});

serving.run();
