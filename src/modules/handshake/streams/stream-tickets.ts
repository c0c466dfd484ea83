import type { Clock } from '../../../kernel/clock.js';
import { isUuid, uuidOfDigits } from '../../../kernel/ids.js';
import { HOUR_MS } from '../../../kernel/values/durations.js';
import { SignedTexts } from './signed-texts.js';

/** Tickets stay the same for this long, so that an answer with one in it stays the same, and expire with the next period. */
const PERIOD_MS = HOUR_MS;
const KEPT_TICKETS = 10_000;

export interface StreamTicket {
  readonly ticket: string;
  readonly expiresAt: Date;
}

/**
 * Tickets that open the stream of a key's project and environment instead of the key, which must not appear in a URL. A ticket is `<key
 * id>.<expiry>.<signature>`, valid for one to two hours, for nothing else, and no longer than its key.
 */
export class StreamTickets {
  private readonly texts: SignedTexts;
  private readonly made = new Map<string, StreamTicket>();
  private period = 0;

  constructor(
    secrets: readonly string[],
    private readonly clock: Clock,
  ) {
    this.texts = new SignedTexts(secrets, 'stream tickets');
  }

  of(keyId: string): StreamTicket {
    const period = this.presentPeriod();
    if (period !== this.period || this.made.size >= KEPT_TICKETS) {
      this.made.clear();
      this.period = period;
    }
    let ticket = this.made.get(keyId);
    if (!ticket) {
      const expiresAt = new Date((period + 2) * PERIOD_MS);
      const expiry = (expiresAt.getTime() / 1_000).toString(36);
      ticket = { ticket: this.texts.signed(`${keyId.replaceAll('-', '')}.${expiry}`), expiresAt };
      this.made.set(keyId, ticket);
    }
    return ticket;
  }

  /** The number of the current ticket period. */
  presentPeriod(): number {
    return Math.floor(this.clock.now().getTime() / PERIOD_MS);
  }

  /** The id of the key behind a ticket; null if it is malformed, forged or expired. */
  keyIdOf(ticket: string): string | null {
    const [digits = '', expiry = ''] = this.texts.verified(ticket)?.split('.') ?? [];
    const id = uuidOfDigits(digits);
    if (!isUuid(id)) return null;
    return Number.parseInt(expiry, 36) * 1_000 > this.clock.now().getTime() ? id : null;
  }
}
