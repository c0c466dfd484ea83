import type { ClientRequest } from 'node:http';

/** How long a host that drops every packet may hold a program that is done. */
const DONE_MS = 2_000;
/** Includes the time for asking a second name server. */
const CONNECT_MS = 10_000;
/** What a connection in the making holds: libuv counts it, whatever its socket says. */
const MAKING = new Set(['ConnectWrap', 'GetAddrInfoReqWrap']);
/** Also listed: sockets of connections in the making, and the process's own streams, even if nobody reads them. */
const BESIDE = new Set(['TCPSocketWrap', 'TTYWrap', 'PipeWrap']);

/** Requests without a connection yet, of all instances in the process. */
const connecting = new Set<ClientRequest>();
/** Only once: if the program goes on, it was not done, and later requests must have their time. */
let isCut = false;

/**
 * Keeps a request from keeping the process alive, except for two seconds while it connects, and ends it if it has no
 * connection after ten.
 */
export function letEnd(asked: ClientRequest): void {
  connecting.add(asked);
  const looking = setInterval(cutIfDone, DONE_MS).unref();
  const late = setTimeout(() => asked.destroy(new Error('no connection within 10 seconds')), CONNECT_MS).unref();
  const connected = (): void => {
    clearTimeout(late);
    clearInterval(looking);
    connecting.delete(asked);
  };
  asked.on('socket', (socket) => {
    socket.unref();
    if (socket.connecting) socket.once('connect', connected);
    else connected();
  });
  asked.on('close', connected);
}

function cutIfDone(): void {
  const holding = process.getActiveResourcesInfo();
  const ours = holding.filter((kind) => MAKING.has(kind)).length;
  const sockets = holding.filter((kind) => kind === 'TCPSocketWrap').length;
  const isDone = holding.every((kind) => MAKING.has(kind) || BESIDE.has(kind));
  if (isCut || !isDone || Math.max(ours, sockets) > connecting.size) return;
  isCut = true;
  for (const asked of connecting) asked.destroy(new Error('the program ended before there was a connection'));
}
