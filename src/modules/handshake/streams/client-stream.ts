import type { OpenStream } from '../../../kernel/streams/open-stream.js';
import { PING_SECONDS } from '../../../kernel/streams/open-streams.js';
import { eventText, retryText } from '../../../kernel/streams/sse.js';
import type { ChangeListener } from './change-watch.js';
import { changedModules, positionOf, type StreamModule, type Versions } from './versions.js';

/** Disconnected clients reconnect after about this long; each is told a different time. */
export const RETRY_MS = 2_000;

/** The format a client wants: one event per module, or the format of OpenFeature's remote evaluation. */
export type StreamDialect = 'modules' | 'ofrep';

export interface ClientStreamOptions {
  readonly dialect: StreamDialect;
  /** Null for all. */
  readonly modules: ReadonlySet<StreamModule> | null;
  /** A pass for one refetch after a notice. */
  readonly pass: () => string;
  readonly now: () => Date;
}

/** A client's open stream: what it has seen, and how it is notified of the rest. */
export class ClientStream implements ChangeListener {
  constructor(
    private readonly stream: OpenStream,
    private seen: Versions,
    private readonly options: ClientStreamOptions,
  ) {}

  /** Sends the stream's start position, so that a client that resumes from there misses nothing. */
  begin(): void {
    const { dialect } = this.options;
    const retry = retryText(RETRY_MS * (0.5 + Math.random()));
    const id = positionOf(this.seen);
    const ready =
      dialect === 'ofrep'
        ? eventText({ id, data: '{"type":"ready"}' })
        : eventText({ event: 'ready', id, data: `{"ping_seconds":${PING_SECONDS}}` });
    this.stream.send(`${retry}${ready}`);
  }

  changed(versions: Versions): void {
    const changed = changedModules(this.seen, versions, this.options.modules);
    if (changed.length === 0 || !this.stream.isOpen) return;
    const pass = this.options.pass();
    let text = '';
    for (const module of changed) {
      this.seen = { ...this.seen, [module]: versions[module] };
      text += this.notice(module, versions[module], pass);
    }
    this.stream.send(text);
  }

  private notice(module: StreamModule, version: string, pass: string): string {
    const id = positionOf(this.seen);
    const { dialect, now } = this.options;
    if (dialect === 'modules')
      return eventText({ event: module, id, data: JSON.stringify({ etag: `"${version}"`, refetch: pass }) });
    const lastModified = Math.floor(now().getTime() / 1_000);
    // The provider sends the tag back with its request; it is the only thing a server can have it send.
    return eventText({ id, data: JSON.stringify({ type: 'refetchEvaluation', etag: `"${pass}"`, lastModified }) });
  }
}
