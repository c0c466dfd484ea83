import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '../../src/kernel/actor.js';
import type { BodyHolding } from '../../src/kernel/bodies/body-budget.js';
import { RequestBytes } from '../../src/kernel/bodies/request-bytes.js';
import type { Caller } from '../../src/kernel/context.js';
import type { KeyStanding } from '../../src/modules/access/keys/key-standing.js';
import type { UsedPass } from '../../src/modules/handshake/streams/refetch-passes.js';
import type { RestRequest } from '../route.js';

/** A request that has found its row. */
export interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly address: string;
}

const NOBODY: Actor = { kind: 'anonymous' };

/** A request on its way through its row, as its verb sees it, with everything known about it so far. */
export class RowRequest implements RestRequest, Exchange, Caller {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: RestRequest['params'];
  readonly requestId: string;
  readonly address: string;
  actor: Actor = NOBODY;
  key: KeyStanding | null = null;
  pass: UsedPass | null = null;
  body: unknown = undefined;
  holding: BodyHolding | null = null;
  result: unknown = undefined;
  private parsedQuery: URLSearchParams | null = null;
  private aborted: AbortController | null = null;

  constructor(
    { message, response, params, requestId, address }: Exchange,
    readonly cap: number,
  ) {
    this.message = message;
    this.response = response;
    this.params = params;
    this.requestId = requestId;
    this.address = address;
  }

  get isRepeat(): boolean {
    return this.pass !== null && this.pass.uses > 1;
  }

  get headers(): IncomingMessage['headers'] {
    return this.message.headers;
  }

  get query(): URLSearchParams {
    this.parsedQuery ??= new URLSearchParams(/\?([^#]*)/.exec(this.message.url ?? '')?.[1]);
    return this.parsedQuery;
  }

  get signal(): AbortSignal {
    if (!this.aborted) {
      const controller = new AbortController();
      if (this.response.destroyed) controller.abort();
      else this.response.once('close', () => controller.abort());
      this.aborted = controller;
    }
    return this.aborted.signal;
  }

  bytes(): RequestBytes {
    if (!this.holding) throw new Error('the row has no body');
    return new RequestBytes(this.message, this.cap, this.holding);
  }
}
