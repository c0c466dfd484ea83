import type { World } from '../../support/factories/factories.js';

/** Creates an object of this type as the owner, and returns its id. */
export async function create({ owner }: World, type: string, input: object): Promise<string> {
  const answer = await owner.client.graphql<Record<string, { id: string }>>(
    `mutation($i: Create${type}Input!) { create${type}(input: $i) { id } }`,
    { i: input },
  );
  return answer[`create${type}`]?.id ?? '';
}
