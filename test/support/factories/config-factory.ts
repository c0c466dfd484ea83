import { randomUUID } from 'node:crypto';
import type { World } from './factories.js';

export interface ConfigItemOverrides {
  key?: string;
  type?: string;
  value?: string;
  rule?: { cohort: string; value: string };
  rules?: object[];
  environment?: 'live' | 'test';
  jsonSchema?: unknown;
}

/** Creates a config item in the world's project, as its owner. */
export async function buildConfigItem(
  world: World,
  overrides: ConfigItemOverrides,
): Promise<{ id: string; key: string }> {
  const { createConfigItem } = await world.owner.client.graphql<{ createConfigItem: { id: string; key: string } }>(
    'mutation($input: CreateConfigItemInput!) { createConfigItem(input: $input) { id key } }',
    {
      input: {
        projectId: world.projectId,
        environment: 'live',
        key: `item.${randomUUID().slice(0, 12)}`,
        type: 'int',
        value: '1',
        ...overrides,
      },
    },
  );
  return createConfigItem;
}
