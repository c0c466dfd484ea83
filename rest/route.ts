import type { IncomingMessage } from 'node:http';
import type { TSchema } from 'typebox';
import type { Role } from '../src/kernel/actor.js';
import type { RequestBytes } from '../src/kernel/bodies/request-bytes.js';
import type { Context } from '../src/kernel/context.js';
import type { MaybePromise } from '../src/kernel/values/maybe-promise.js';
import type { KeyScope } from '../src/modules/access/keys/key-scopes.js';
import type { KeyStanding } from '../src/modules/access/keys/key-standing.js';
import type { Body } from './body.js';
import type { anybody, bearerToken, keyOrTicket, projectKey } from './callers.js';
import type { ErrorRow } from './face/error-table.js';
import type { Answer } from './face/send.js';
import type { Description } from './openapi/description.js';
import type { RateLimit } from './rate-limit.js';

/** What a verb sees of its request. */
export interface RestRequest<Given = unknown> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The row's result from its JSON body. */
  readonly body: Given;
  /** The request itself, for streaming routes. */
  readonly message: IncomingMessage;
  /** Maximum bytes of the body. */
  readonly cap: number;
  /** The body's bytes, for streaming routes; may be read once. */
  bytes(): RequestBytes;
  /** The status of a caller with a key. */
  readonly key: KeyStanding | null;
  /** Whether the request's pass was used before: requests made after one notice count once. */
  readonly isRepeat: boolean;
  readonly address: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

interface DescribedBody {
  /** Maximum bytes after decompression, one of `BODY_CAPS`. */
  readonly cap: number;
  readonly schema: TSchema;
}

/** A body that is read whole once the caller is known. */
export interface JsonBody<Given> extends DescribedBody {
  readonly reads: 'json';
  /** False if the body is optional. */
  readonly required?: false;
  /** What the verb receives; fails with a row of the route's errors. */
  readonly parse: (body: Body) => Given;
}

/** A body that is left to the verb. */
export interface StreamedBody extends DescribedBody {
  readonly reads: 'stream';
  /** Defaults to `application/json`. */
  readonly mediaType?: string;
}

/** Who may call a route: with a token, anyone with a minimum role; with a key, one with a scope; or anyone. */
export type Permitted =
  | { readonly caller: typeof bearerToken; readonly least: Role; readonly scope?: undefined }
  | { readonly caller: typeof projectKey | typeof keyOrTicket; readonly scope: KeyScope; readonly least?: undefined }
  | { readonly caller: typeof anybody; readonly least?: undefined; readonly scope?: undefined };

interface RouteRow<Result, Code extends string, Given> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly aliases?: readonly string[];
  readonly limit?: RateLimit;
  /** Whether a request with a notice's pass counts neither against the limit nor against the key's own. */
  readonly takesPass?: true;
  /** Absent for a route without a body. */
  readonly body?: JsonBody<Given> | StreamedBody;
  /** `write` runs the verb in a transaction, `read` without one; `own` leaves both to the verb. */
  readonly runs: 'read' | 'write' | 'own';
  readonly verb: (ctx: Context, request: RestRequest<Given>) => MaybePromise<Result>;
  readonly answer: (result: Result, request: RestRequest<Given>) => Answer;
  readonly errors: Readonly<Record<Code, ErrorRow>>;
  /** Whether requests skip the web framework, which costs several times as much as a busy route itself. */
  readonly fast?: true;
  /** For openapi.json. */
  readonly describes: Description<NoInfer<Code>>;
}

/** One row of the REST face: everything about a route up to its verb. */
export type Route = RouteRow<unknown, string, unknown> & Permitted;

/** Declares a route. Its types connect body, verb and response, and the failures it describes are rows of its table. */
// Its own types end here: a list of rows has no single type of body and response.
export const route = <Result, Code extends string, Given = undefined>(
  row: RouteRow<Result, Code, Given> & Permitted,
): Route => row as unknown as Route;
