import type { Client } from '../client.js';

/** Runs a mutation with one input and returns its result. */
export async function mutate<T = { id: string }>(
  client: Client,
  operation: string,
  inputType: string,
  input: object,
  selection = 'id',
): Promise<T> {
  const query = `mutation($input: ${inputType}!) { result: ${operation}(input: $input) { ${selection} } }`;
  return (await client.graphql<{ result: T }>(query, { input })).result;
}
