import { type Operation, operationCourier } from '../../src/sdk/core/operations.js';
import { Outbox, type OutboxOptions } from '../../src/sdk/core/outbox.js';
import type { HttpRequest } from '../../src/sdk/core/platform.js';
import { MovedPlatform } from './moved-platform.js';

/** An answer of the server. */
export interface Scripted {
  readonly status: number;
  readonly body?: object;
  /** Instead of a JSON body. */
  readonly text?: string;
  readonly retryAfter?: string;
}

/** A server that gives the answers in turn, the last one forever. */
export class ScriptedPlatform extends MovedPlatform {
  readonly batches: string[][] = [];

  constructor(
    private readonly answers: (Scripted | 'no answer' | 'nothing' | ((names: readonly string[]) => Scripted))[],
  ) {
    super();
  }

  async request(_url: string, { body }: HttpRequest) {
    const { operations } = JSON.parse(String(body)) as { operations: { payload: { event_name: string } }[] };
    const names = operations.map(({ payload }) => payload.event_name);
    this.batches.push(names);
    const next = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
    const answer = typeof next === 'function' ? next(names) : next;
    if (answer === 'nothing') return new Promise<never>(() => undefined);
    if (answer === undefined || answer === 'no answer') throw new TypeError('fetch failed');
    const { status, retryAfter = null } = answer;
    const { body: answered = status < 400 ? {} : { error: 'refused' }, text = JSON.stringify(answered) } = answer;
    return {
      status,
      headers: { get: (name: string) => (name === 'retry-after' ? retryAfter : null) },
      text: async () => text,
    };
  }
}

/** The server accepted everything. */
export const OK = { status: 200 };

/** An event with this name. */
export const event = (name: string): Operation => ({
  type: 'track',
  payload: {
    event_name: name,
    distinct_id: 'u',
    properties: {},
    timestamp: '2026-06-01T12:00:00.000Z',
    insert_id: name,
  },
});

/** An outbox as a tab has one. */
export function outboxOn(
  platform: ScriptedPlatform,
  tab = 'tab',
  more: Pick<OutboxOptions, 'restSeconds' | 'onTaken'> = {},
): Outbox<Operation> {
  const courier = operationCourier({ platform, url: 'https://server', key: 'sk_live_1' });
  const limits = { flushAt: 20, flushSeconds: 5, most: 100, mostAtOnce: 50, isOpen: () => true, ...more };
  return new Outbox(platform, courier, 'operations:', tab, limits);
}

/** Adds events with these names. */
export const add = (outbox: Outbox<Operation>, ...names: string[]): void => {
  for (const name of names) outbox.add(event(name));
};
