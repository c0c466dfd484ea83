import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** One request as received over the wire. */
export interface ReceivedRequest {
  head: string;
  headers: Map<string, string>;
  body: string;
  socket: Socket;
}

/** What a receiver does once it has the whole request. */
export type Behaviour = (socket: Socket, request: ReceivedRequest) => void;

/** A receiver on a real socket that answers as badly as requested, and remembers what it received. */
export interface HostileReceiver {
  url: string;
  port: number;
  connections: number;
  requests: ReceivedRequest[];
  /** Sockets that are still open. */
  open: Set<Socket>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  host?: string;
  port?: number;
  tls?: TlsOptions;
  onConnect?: (socket: Socket) => void;
}

/** An answer with a length; the connection stays open afterwards. */
export function answer(status: number, body = '', headers = ''): Behaviour {
  return (socket) => {
    const length = status === 204 || status === 304 ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
    socket.write(`HTTP/1.1 ${status} Word\r\n${headers}${length}\r\n${body}`);
  };
}

/** Never answers. */
export const silent: Behaviour = () => {};

/** Starts a receiver on a free loopback port. */
export async function hostileReceiver(behaviour: Behaviour, options: ReceiverOptions = {}): Promise<HostileReceiver> {
  const host = options.host ?? '127.0.0.5';
  const receiver = { connections: 0, requests: [] as ReceivedRequest[], open: new Set<Socket>() };
  const serve = (socket: Socket): void => {
    socket.on('error', () => {});
    if (options.onConnect !== undefined) options.onConnect(socket);
    readRequests(socket, (request) => {
      receiver.requests.push(request);
      behaviour(socket, request);
    });
  };
  const server: Server = options.tls ? createTlsServer(options.tls, serve) : createServer({ noDelay: true }, serve);
  server.on('tlsClientError', () => {});
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1;
    receiver.open.add(socket);
    socket.on('error', () => {}).on('close', () => receiver.open.delete(socket));
  });
  await new Promise<void>((ready) => server.listen(options.port ?? 0, host, ready));
  const { port } = server.address() as AddressInfo;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const url = `${options.tls ? 'https' : 'http'}://${shownHost}:${port}/hook`;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((done) => server.close(() => done()));
    for (const socket of receiver.open) socket.destroy();
    await closed;
  };
  return Object.assign(receiver, { url, port, close });
}

function readRequests(socket: Socket, onRequest: (request: ReceivedRequest) => void): void {
  let pending = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    pending += chunk;
    for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
      const head = pending.slice(0, end);
      const headers = new Map<string, string>();
      for (const line of head.split('\r\n').slice(1)) {
        const colon = line.indexOf(':');
        headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
      }
      const rest = Buffer.from(pending.slice(end + 4));
      const length = Number(headers.get('content-length') ?? 0);
      if (rest.length < length) return;
      pending = rest.subarray(length).toString();
      onRequest({ head, headers, body: rest.subarray(0, length).toString(), socket });
    }
  });
}
