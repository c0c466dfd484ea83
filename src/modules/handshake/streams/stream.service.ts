import type { ServerResponse } from 'node:http';
import type { KeyActor } from '../../../kernel/actor.js';
import type { Clock } from '../../../kernel/clock.js';
import type { OpenStreams, StreamHolder } from '../../../kernel/streams/open-streams.js';
import type { KeyScope } from '../../access/keys/key-scopes.js';
import type { ChangeWatch } from './change-watch.js';
import { ClientStream, type StreamDialect } from './client-stream.js';
import type { KeyGuard } from './key-guard.js';
import type { RefetchPasses } from './refetch-passes.js';
import { STREAM_MODULES, type StreamModule, type Versions, versionsAt } from './versions.js';

/** Who opens a stream, from where, and what for. */
export interface StreamRequest {
  readonly actor: KeyActor;
  readonly dialect: StreamDialect;
  /** What the key must go on being good for. */
  readonly scope: KeyScope;
  readonly asked: ReadonlySet<StreamModule> | null;
  /** The `id` of the last event that the client has, or the position of the answer that it has; null without one. */
  readonly position: string | null;
  readonly origin: string | undefined;
  readonly address: string;
}

/** A stream for which there is room; one of the two is called, once. */
export interface ReadyStream {
  /** Turns a response whose headers were sent into the stream. */
  hold(response: ServerResponse): void;
  release(): void;
}

export interface StreamParts {
  readonly streams: OpenStreams;
  readonly watch: ChangeWatch;
  readonly guard: KeyGuard;
  readonly passes: RefetchPasses;
  readonly clock: Clock;
  /** Counts what was told to one client. */
  readonly countNotice: (dialect: StreamDialect) => void;
}

/** Streams of notices for clients that hold decisions (docs/rest.md, Streams). */
export class StreamService {
  constructor(private readonly parts: StreamParts) {}

  /** Makes room for a stream. Fails with `too_many_streams`. */
  async open(request: StreamRequest): Promise<ReadyStream> {
    const { actor } = request;
    const present = await this.parts.watch.versions(actor);
    const place = this.parts.streams.take(request.dialect, holdersOf(actor));
    return { hold: (response) => this.hold(request, present, response, place.open), release: place.release };
  }

  private hold(
    { actor, dialect, scope, asked, position, origin, address }: StreamRequest,
    present: Versions,
    response: ServerResponse,
    open: ReturnType<OpenStreams['take']>['open'],
  ): void {
    const { watch, guard, passes, clock, countNotice } = this.parts;
    const ends: (() => void)[] = [];
    const stream = open(response, () => {
      for (const end of ends) end();
    });
    const pass = (): string => {
      countNotice(dialect);
      return passes.give(actor);
    };
    const client = new ClientStream(stream, seenAt(position, present), {
      dialect,
      asked,
      pass,
      now: () => clock.now(),
    });
    if (!stream.isOpen) return;
    ends.push(watch.listen(actor, client), guard.guard(actor.keyId, { stream, scope, origin, address }));
    client.begin();
    // What changed since the position, and between the two looks at the versions.
    client.changed(present);
    watch.versions(actor).then(
      (versions) => client.changed(versions),
      () => undefined,
    );
  }
}

/** A position that means nothing here, of another release for example, is as good as having seen nothing. */
function seenAt(position: string | null, present: Versions): Versions {
  if (position === null || position === '') return present;
  const seen = versionsAt(position);
  if (!seen) return NOTHING_SEEN;
  // An answer of the handshake says nothing of surveys.
  return Object.fromEntries(STREAM_MODULES.map((module) => [module, seen[module] || present[module]])) as Versions;
}

const NOTHING_SEEN: Versions = {
  switch: '?',
  config: '?',
  deploy: '?',
  catch: '?',
  analytics: '?',
  surveys: '?',
};

const holdersOf = ({ keyId, organizationId }: KeyActor): StreamHolder[] => [
  { what: 'key', id: keyId },
  { what: 'organization', id: organizationId },
];
