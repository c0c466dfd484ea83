import { type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { requestIdOf } from '../kernel/requests/request-id.js';

/** Errors of Node's parser and timers, by code; anything else is a bad request. */
const REFUSALS: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'payload_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout'],
};
const BAD_REQUEST = [400, 'bad_request'] as const;

interface HttpSocket extends Socket {
  /** Node's response in progress on this connection. */
  _httpMessage?: { readonly headersSent: boolean } | null;
}

/**
 * Answers malformed HTTP with the headers and body format of every other error. Node by default sends a bare status line, which can't be
 * traced in support.
 */
export function refuseMalformed(server: Server): Server {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: HttpSocket) => {
    if (!socket.writable || socket._httpMessage?.headersSent) return void socket.destroy();
    const [status, refusal] = REFUSALS[error.code ?? ''] ?? BAD_REQUEST;
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${refusalText(refusal)}`);
  });
  // An unknown expectation may be ignored: the response is the same as without it.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/**
 * Passes on requests with the path they ask for, including absolute URLs. Rejects malformed URLs, and requests with no host or several (RFC
 * 9112, section 3.2). Unless `requireHostHeader` is off, Node answers requests without a host by itself, in its own format.
 */
export function withPath(handle: RequestListener): RequestListener {
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    const hosts = hostsOf(request.rawHeaders);
    if (path !== null && (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0'))) {
      request.url = path;
      return handle(request, response);
    }
    const body = JSON.stringify({ error: BAD_REQUEST[1] });
    const id = requestIdOf(request.headers['x-request-id']);
    response.writeHead(BAD_REQUEST[0], { ...JSON_HEADERS, 'x-request-id': id, connection: 'close' }).end(body);
  };
}

/** How many header lines name a host; the parser keeps the first. */
function hostsOf(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

function pathOf(target: string): string | null {
  if (target.startsWith('/') || target === '*') return withoutFragment(target);
  const address = URL.parse(target);
  return address?.pathname.startsWith('/') ? address.pathname + address.search : null;
}

/** Clients don't send the fragment (RFC 9110, section 4.2.5), but Node's parser lets it through. */
function withoutFragment(target: string): string {
  const at = target.indexOf('#');
  return at < 0 ? target : target.slice(0, at);
}

function refusalText(error: string): string {
  const body = JSON.stringify({ error });
  const headers = { ...JSON_HEADERS, 'x-request-id': requestIdOf(undefined), connection: 'close' };
  const lines = Object.entries({ ...headers, 'content-length': body.length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
