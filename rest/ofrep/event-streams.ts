import type { Answer as Decisions } from '../../src/modules/handshake/handshake.service.js';
import type { StreamTickets } from '../../src/modules/handshake/streams/stream-tickets.js';
import { OFREP_STREAM_PATH } from '../stream/routes.js';

/** A page that hasn't been visible for this long needn't listen. */
const INACTIVITY_SECONDS = 120;

/**
 * A bulk evaluation with `eventStreams` (OFREP's ADR-0008): where to listen for later flag changes. The tag covers the evaluations and the
 * ticket's period, not the URL: a response stays valid as long as its ticket is useful, and a client whose ticket has expired gets a new
 * one, which a 304 couldn't deliver.
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

/** The position for flags only, so that the URL changes only when flags do. */
function positionOfFlags(position: string): string {
  const [flags, ...others] = position.split('.');
  return flags + '.'.repeat(others.length);
}
