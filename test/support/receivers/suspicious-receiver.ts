import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { openLocally } from './open-locally.js';

/** A delivery as the receiver understood it. */
export interface HeardEvent {
  id: string;
  /** Id of the object that the event is about. */
  objectId: string;
  body: string;
  /** How often it arrived, however it was answered. */
  times: number;
  /** Whether it was ever answered with 200. */
  accepted: boolean;
}

/** Shares of requests that are answered badly, from 0 to 1. */
export interface Hostility {
  failing: number;
  resetting: number;
  slow: number;
}

export interface SuspiciousReceiver {
  url: string;
  heard: Map<string, HeardEvent>;
  badSignatures: number;
  /** Events that arrived again under the same id with a different body. */
  changedBodies: number;
  hostility: Hostility;
  /** The secrets, one of which must have signed. */
  secrets: string[];
  close(): Promise<void>;
}

const SLOW_MS = 1_500;

/**
 * A receiver that verifies every signature with the published package, remembers every id, and misbehaves on request.
 */
export async function suspiciousReceiver(hostility: Hostility): Promise<SuspiciousReceiver> {
  const receiver: Omit<SuspiciousReceiver, 'url' | 'close'> = {
    heard: new Map<string, HeardEvent>(),
    badSignatures: 0,
    changedBodies: 0,
    hostility,
    secrets: [],
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => reply(note(request, body), response));
  });
  const note = (request: IncomingMessage, body: string): HeardEvent => {
    const headers = request.headers as Record<string, string>;
    if (!receiver.secrets.some((secret) => isSigned(secret, body, headers))) receiver.badSignatures += 1;
    const { id, object } = JSON.parse(body) as { id: string; object: { id: string } };
    const event = receiver.heard.get(id) ?? { id, objectId: object.id, body, times: 0, accepted: false };
    if (event.body !== body || id !== headers['webhook-id']) receiver.changedBodies += 1;
    event.times += 1;
    receiver.heard.set(id, event);
    return event;
  };
  const reply = (event: HeardEvent, response: ServerResponse): void => {
    const { failing, resetting, slow } = receiver.hostility;
    const luck = Math.random();
    if (luck < failing) {
      response.writeHead(500).end('no');
    } else if (luck < failing + resetting) {
      response.socket?.resetAndDestroy();
    } else {
      event.accepted = true;
      setTimeout(() => response.end('ok'), luck < failing + resetting + slow ? SLOW_MS : 0);
    }
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  const url = `${await openLocally(server)}/`;
  return Object.assign(receiver, { url, close });
}

function isSigned(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
