import { randomUUID } from 'node:crypto';
import type { World } from './factories.js';

export interface FlagOverrides {
  key?: string;
  kind?: 'boolean' | 'variant';
  environment?: 'live' | 'test';
  description?: string;
  variants?: { key: string; value: unknown }[];
  defaultVariant?: string;
  defaultValue?: string;
  rules?: {
    conditions?: { attribute: string; operator?: string | null; values: unknown[]; negate?: boolean | null }[];
    percentage?: number;
    variant?: string;
    split?: { variant: string; weight: number }[];
    bucketBy?: string;
  }[];
  prerequisites?: { key: string; variants: string[] }[];
}

/** Creates a flag in the world's project, as its owner: boolean, on for everyone, default off. */
export async function buildFlag(world: World, overrides: FlagOverrides = {}): Promise<{ id: string; key: string }> {
  const { createFlag } = await world.owner.client.graphql<{ createFlag: { id: string; key: string } }>(
    'mutation($input: CreateFlagInput!) { createFlag(input: $input) { id key } }',
    {
      input: {
        projectId: world.projectId,
        environment: 'live',
        key: `flag.${randomUUID().slice(0, 12)}`,
        ...(overrides.kind === 'variant' ? {} : { rules: [{ variant: 'on' }] }),
        ...overrides,
      },
    },
  );
  return createFlag;
}
