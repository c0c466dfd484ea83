import { Client } from './client.js';

export interface SignedIn {
  token: string;
  passwordChangeRequired: boolean;
  /** A client with the session. */
  client: Client;
}

/** Signs in over GraphQL; rejects with a GraphqlRefusal. */
export async function signIn(
  baseUrl: string,
  input: { email: string; password: string; organizationId?: string },
): Promise<SignedIn> {
  const anonymous = new Client(baseUrl);
  const { email, password, organizationId } = input;
  const answer = await anonymous.graphql<{ signIn: Omit<SignedIn, 'client'> }>(
    'mutation($input: SignInInput!) { signIn(input: $input) { token passwordChangeRequired } }',
    { input: { email, password, organizationId } },
  );
  return { ...answer.signIn, client: anonymous.withToken(answer.signIn.token) };
}

/** Changes the password of the client's account. Returns how many API tokens remain. */
export async function changePassword(client: Client, currentPassword: string, newPassword: string): Promise<number> {
  const answer = await client.graphql<{ changePassword: { remainingApiTokens: number } }>(
    'mutation($input: ChangePasswordInput!) { changePassword(input: $input) { id remainingApiTokens } }',
    { input: { currentPassword, newPassword } },
  );
  return answer.changePassword.remainingApiTokens;
}
