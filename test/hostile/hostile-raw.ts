import { connect } from 'node:net';
import type { TestApp } from '../support/test-app.js';
import type { HostileRequest } from './hostile-requests.js';

const LONGEST_MS = 120_000;

/** A request that violates HTTP or declares a wrong length. */
export interface RawRequest {
  readonly what: string;
  readonly bytes: Buffer;
  /** Whether the client hangs up after sending this; the server may then do the same without an answer. */
  readonly breaksOff: boolean;
}

/** The problem with the answer to such a request, or null. */
export async function faultOfRaw(test: TestApp, { bytes, breaksOff }: RawRequest): Promise<string | null> {
  const answer = await answersTo(test, bytes, breaksOff);
  if (answer === null) return `no end within ${LONGEST_MS} ms`;
  if (answer === '') return breaksOff ? null : 'no answer';
  for (const head of answer.matchAll(/^HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n/gm)) {
    const status = Number(head[1]);
    if (status === 100) continue;
    if (status >= 500) return head[0];
    if (!/^x-request-id: \S/im.test(head[0])) return `${status} without x-request-id`;
  }
  return answer.startsWith('HTTP/1.1 ') ? null : `no HTTP: ${answer.slice(0, 100)}`;
}

function answersTo(test: TestApp, bytes: Buffer, breaksOff: boolean): Promise<string | null> {
  const { hostname, port } = new URL(test.baseUrl);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      if (breaksOff) socket.end(bytes);
      else socket.write(bytes);
    });
    const timer = setTimeout(() => {
      resolve(null);
      socket.destroy();
    }, LONGEST_MS);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      // An event stream never ends.
      if (/^content-type: text\/event-stream/im.test(text)) socket.destroy();
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

/** A request with everything that can be wrong with how it is sent. */
export function rawRequests(
  { method, path, headers, body: bytes }: HostileRequest,
  credentials: Readonly<Record<string, string>>,
): RawRequest[] {
  const body = bytes?.toString('latin1') ?? '';
  const line = `${method} ${path} HTTP/1.1`;
  const lines = [
    'host: x',
    'connection: close',
    ...Object.entries({ ...headers, ...credentials }).map(([name, value]) => `${name}: ${value}`),
  ];
  const raw = (what: string, head: readonly string[], tail: string, breaksOff = false): RawRequest => ({
    what: `${method} ${path}: ${what}`,
    bytes: Buffer.from(`${head.join('\r\n')}\r\n\r\n${tail}`, 'latin1'),
    breaksOff,
  });
  const half = body.slice(0, body.length >> 1);
  const chunked = [line, ...lines, 'transfer-encoding: chunked'];
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  return [
    raw('more announced than sent', [line, ...lines, `content-length: ${body.length + 100}`], body, true),
    raw('less announced than sent', [line, ...lines, `content-length: ${half.length}`], body),
    raw('a negative length', [line, ...lines, 'content-length: -1'], body),
    raw('a length of 2^64', [line, ...lines, 'content-length: 18446744073709551616'], body),
    raw('no length', [line, ...lines], body),
    raw('two lengths', [line, ...lines, `content-length: ${body.length}`, 'content-length: 1'], body),
    raw('length and chunks', [...chunked, `content-length: ${body.length}`], `${chunk(body)}0\r\n\r\n`),
    raw('chunks without an end', chunked, chunk(half), true),
    raw('a chunk of no size', chunked, `xyz\r\n${body}\r\n0\r\n\r\n`),
    raw('a chunk shorter than it says', chunked, `${(body.length + 9).toString(16)}\r\n${body}\r\n0\r\n\r\n`, true),
    raw('a chunk of 2^64', chunked, `ffffffffffffffff1\r\n${body}`),
    raw('chunks with a trailer', chunked, `${chunk(body)}0\r\nx-trailer: a\r\n\r\n`),
    raw('an unknown transfer encoding', [line, ...lines, 'transfer-encoding: gzip'], body),
    raw('a header of 20,000', [line, ...lines, `x-long: ${'x'.repeat(20_000)}`], ''),
    raw('3,000 headers', [line, ...lines, ...Array.from({ length: 3_000 }, (_, n) => `x-${n}: 1`)], ''),
    raw('NUL in a header', [line, ...lines, 'x-a: a\0b'], ''),
    raw('a folded header', [line, ...lines, 'x-a: a\r\n b'], ''),
    raw('a header without a name', [line, ...lines, ': a'], ''),
    raw('two hosts', [line, ...lines, 'host: y'], ''),
    raw('no host', [line], ''),
    raw('a method in lower case', [line.toLowerCase(), ...lines], ''),
    raw('a method of its own', [`BREW ${path} HTTP/1.1`, ...lines], ''),
    raw('CONNECT', [`CONNECT ${path} HTTP/1.1`, ...lines], '', true),
    raw('TRACE', [`TRACE ${path} HTTP/1.1`, ...lines], ''),
    raw('HTTP/0.9', [`GET ${path}`], ''),
    raw('HTTP/3.7', [`${method} ${path} HTTP/3.7`, ...lines], ''),
    raw('an absolute address', [`${method} http://a.example${path} HTTP/1.1`, ...lines, 'content-length: 0'], ''),
    raw('a broken absolute address', [`${method} http://[::1${path} HTTP/1.1`, ...lines, 'content-length: 0'], ''),
    raw('two slashes before it', [`${method} //${path} HTTP/1.1`, ...lines, 'content-length: 0'], ''),
    raw('an asterisk', [`OPTIONS * HTTP/1.1`, ...lines], ''),
    raw('a blank in it', [`${method} ${path} x HTTP/1.1`, ...lines], ''),
    raw('a backslash', [`${method} ${path.replaceAll('/', '\\')} HTTP/1.1`, ...lines, 'content-length: 0'], ''),
    raw('an upgrade', [line, ...lines, 'connection: upgrade', 'upgrade: websocket', 'content-length: 0'], '', true),
    raw('HTTP/2', ['PRI * HTTP/2.0'], 'SM\r\n\r\n'),
    raw('TLS', ['\x16\x03\x01\x02\x00\x01\x00'], ''),
  ];
}
