import { createClient, type Client as SseClient } from 'graphql-sse';
import type { TestApp } from './test-app.js';
import { until } from './until.js';

/** What arrives for an event. */
export interface Result {
  data?: Record<string, Record<string, unknown> | null> | null;
  errors?: { message: string; extensions: { code: string } }[];
}

/** A subscription as a client of the protocol sees it. */
export class Listening {
  readonly results: Result[] = [];
  ended: unknown = null;
  private readonly client: SseClient;

  constructor(
    { baseUrl }: { baseUrl: string },
    { token }: { token: string },
    query: string,
    variables: Record<string, unknown>,
    path = '/graphql/stream',
  ) {
    this.client = createClient({
      url: baseUrl + path,
      headers: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    this.client.subscribe(
      { query, variables },
      {
        next: (result) => this.results.push(result as Result),
        error: (error) => {
          this.ended = error;
        },
        complete: () => {
          this.ended ??= 'complete';
        },
      },
    );
  }

  async next(
    root: string,
    what: (found: Record<string, unknown>) => boolean = () => true,
  ): Promise<Record<string, unknown>> {
    return until(`${root}: ${JSON.stringify(this.results)} ${this.ended}`, () =>
      this.results.map(({ data }) => data?.[root]).find((found) => found && what(found)),
    );
  }

  close(): void {
    this.client.dispose();
  }
}

/** Subscriptions that are open on the server. */
export const openCount = async ({ app }: TestApp): Promise<number> =>
  Number(/streams_open\{kind="graphql"\} (\d+)/.exec(await app.parts.metrics.text())?.[1] ?? 0);

/** Subscribes, and waits until the server has accepted or rejected it. */
export async function listen(
  test: TestApp,
  user: { token: string },
  query: string,
  variables: Record<string, unknown>,
  path?: string,
) {
  const before = await openCount(test);
  const listening = new Listening(test, user, query, variables, path);
  await until('the stream', async () => listening.ended !== null || (await openCount(test)) > before);
  return listening;
}
