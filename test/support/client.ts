/** Calls both APIs of a running server as its users do. */
export class Client {
  constructor(
    readonly baseUrl: string,
    private readonly credentials: { token?: string; apiKey?: string } = {},
  ) {}

  withToken(token: string): Client {
    return new Client(this.baseUrl, { token });
  }

  withKey(apiKey: string): Client {
    return new Client(this.baseUrl, { apiKey });
  }

  /** Runs a GraphQL operation; rejects with a {@link GraphqlRefusal} if it has errors. */
  async graphql<T = Record<string, never>>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
    const answer = await this.post('/graphql', { query, variables });
    const body = answer.body as { data?: T; errors?: GraphqlError[] };
    if (body.errors) throw new GraphqlRefusal(body.errors, answer.status);
    return body.data as T;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<RestAnswer> {
    return this.send('GET', path, undefined, headers);
  }

  /** Posts JSON; a string is sent unchanged. */
  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<RestAnswer> {
    const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    return this.send('POST', path, text, { 'content-type': 'application/json', ...headers });
  }

  delete(path: string, headers: Record<string, string> = {}): Promise<RestAnswer> {
    return this.send('DELETE', path, undefined, headers);
  }

  async send(
    method: string,
    path: string,
    body: string | Uint8Array | undefined,
    headers: Record<string, string>,
  ): Promise<RestAnswer> {
    const { token, apiKey } = this.credentials;
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(apiKey ? { 'x-api-key': apiKey } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
    }).catch((error: Error) => {
      // "fetch failed" says neither what was requested nor why it failed.
      throw new Error(`${method} ${path}: ${error.message} (${String(error.cause)})`, { cause: error });
    });
    const text = await textOf(response);
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }
}

export interface RestAnswer {
  status: number;
  headers: Headers;
  /** The exact bytes as text. */
  text: string;
  /** The parsed JSON, or null. */
  body: unknown;
}

export interface GraphqlError {
  message: string;
  path?: (string | number)[];
  extensions: { code: string; details?: Record<string, unknown>; fields?: { path: string; message: string }[] };
}

export class GraphqlRefusal extends Error {
  constructor(
    readonly errors: GraphqlError[],
    readonly status: number,
  ) {
    super(errors.map(({ message }) => message).join('; '));
  }

  get code(): string | undefined {
    return this.errors[0]?.extensions.code;
  }
}

/** The error of a rejected GraphQL operation; fails the test if it succeeds. */
export async function refusalOf(operation: Promise<unknown>): Promise<GraphqlRefusal> {
  try {
    await operation;
  } catch (error) {
    if (error instanceof GraphqlRefusal) return error;
    throw error;
  }
  throw new Error('the operation was not refused');
}

/** The whole body. An event stream never ends, so only its beginning. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream' || !response.body) return response.text();
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
