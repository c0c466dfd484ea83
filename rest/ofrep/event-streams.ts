import type { Answer as Decisions } from '../../src/modules/handshake/handshake.service.js';
import type { StreamTickets } from '../../src/modules/handshake/streams/stream-tickets.js';
import { OFREP_STREAM_PATH } from '../stream/routes.js';

/** A page that nobody has looked at for this long need not listen. */
const INACTIVITY_SECONDS = 120;

/**
 * A bulk evaluation with `eventStreams` (OFREP's ADR-0008): where to listen for flags that change after it. The tag is that of the
 * evaluations and of the period of the ticket, not of the address: an answer stays valid for as long as its ticket is of use,
 * and a client whose ticket has expired gets another, which a 304 could not bring.
 */
export function withEventStreams(
  found: Decisions,
  keyId: string,
  tickets: StreamTickets,
): { etag: string; body: Buffer | string } {
  return new WithEventStreams(found, keyId, tickets);
}

/** A class for the same reason as the handshake's `WrittenLater`. */
class WithEventStreams {
  readonly etag: string;

  constructor(
    private readonly found: Decisions,
    private readonly keyId: string,
    private readonly tickets: StreamTickets,
  ) {
    this.etag = `${found.etag.slice(0, -1)}-${tickets.presentPeriod().toString(36)}"`;
  }

  get body(): Buffer | string {
    const { found, keyId, tickets } = this;
    const { ticket } = tickets.of(keyId);
    const requestUri = `${OFREP_STREAM_PATH}?ticket=${ticket}&last_event_id=${positionOfFlags(found.position)}`;
    const stream = { type: 'sse', endpoint: { requestUri }, inactivityDelaySec: INACTIVITY_SECONDS };
    const member = `,"eventStreams":${JSON.stringify([stream])}}`;
    const { body: flags } = found;
    if (typeof flags === 'string') return flags.slice(0, -1) + member;
    return Buffer.concat([flags.subarray(0, -1), Buffer.from(member)]);
  }
}

/** The position as far as flags go, so that the address changes only when flags do. */
const positionOfFlags = (position: string): string =>
  position.replace(/[^.]+(?=\.|$)/g, (part, at) => (at === 0 ? part : ''));
