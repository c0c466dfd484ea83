import type { ProjectEnvironment } from '../../../kernel/actor.js';
import type { OpenStream } from '../../../kernel/streams/open-stream.js';
import { PING_SECONDS } from '../../../kernel/streams/open-streams.js';
import { eventText, retryText } from '../../../kernel/streams/sse.js';
import type { WrittenDefinitions } from '../definitions.js';
import type { ChangeListener } from './change-watch.js';
import { RETRY_MS } from './client-stream.js';
import { type DefinitionHistory, patchText } from './definition-history.js';

export interface DefinitionStreamOptions {
  readonly place: ProjectEnvironment;
  readonly history: DefinitionHistory;
  readonly read: () => Promise<WrittenDefinitions>;
  readonly onSent: () => void;
}

/** The open stream of a server that makes decisions itself: it receives the difference between its definitions and the current ones. */
export class DefinitionStream implements ChangeListener {
  private seen: WrittenDefinitions | null;
  private sending = false;
  private again = false;

  /** @param position entity tag of the client's definitions, with or without its quotes; null for none */
  constructor(
    private readonly stream: OpenStream,
    position: string | null,
    private readonly options: DefinitionStreamOptions,
  ) {
    const etag = position === null ? '' : `"${position.replace(/^"|"$/g, '')}"`;
    this.seen = options.history.find(options.place, etag);
  }

  /** Starts the stream at what the client has, or with everything if that isn't known. */
  begin(present: WrittenDefinitions): void {
    const retry = retryText(RETRY_MS * (0.5 + Math.random()));
    const data = `{"ping_seconds":${PING_SECONDS},"etag":${JSON.stringify(present.etag)}}`;
    const ready = eventText({ event: 'ready', id: idOf(present), data });
    // In one piece: large definitions that are still on their way would count as unread.
    this.stream.send(`${retry}${this.update(present)}${ready}`);
  }

  changed(): void {
    this.again = true;
    if (!this.sending) void this.sendPresent();
  }

  private async sendPresent(): Promise<void> {
    this.sending = true;
    while (this.again && this.stream.isOpen) {
      this.again = false;
      // If it can't be read now, it is retried like every place (ChangeWatch).
      const present = await this.options.read().catch(() => null);
      const text = present && this.update(present);
      if (text) this.stream.send(text);
    }
    this.sending = false;
  }

  /** The event that brings the client to the current definitions; empty if it has them. */
  private update(present: WrittenDefinitions): string {
    const { seen, options } = this;
    if (seen?.etag === present.etag) return '';
    options.history.record(options.place, present);
    this.seen = present;
    options.onSent();
    return seen
      ? eventText({ event: 'patch', id: idOf(present), data: patchText(seen, present) })
      : eventText({ event: 'put', id: idOf(present), data: fullText(present) });
  }
}

const idOf = ({ etag }: WrittenDefinitions): string => etag.slice(1, -1);

const fullText = ({ etag, body }: WrittenDefinitions): string =>
  `{"etag":${JSON.stringify(etag)},"definitions":${body.toString()}}`;
