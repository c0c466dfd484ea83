import type { ServerResponse } from 'node:http';
import type { KeyActor, ProjectEnvironment } from '../../../kernel/actor.js';
import type { Clock } from '../../../kernel/clock.js';
import type { OpenStream } from '../../../kernel/streams/open-stream.js';
import type { OpenStreams, StreamHolder, StreamPlace } from '../../../kernel/streams/open-streams.js';
import type { KeyScope } from '../../access/keys/key-scopes.js';
import type { WrittenDefinitions } from '../definitions.js';
import type { ChangeListener, ChangeWatch } from './change-watch.js';
import { ClientStream, type StreamDialect } from './client-stream.js';
import { DefinitionHistory } from './definition-history.js';
import { DefinitionStream } from './definition-stream.js';
import type { KeyGuard } from './key-guard.js';
import type { RefetchPasses } from './refetch-passes.js';
import { STREAM_MODULES, type StreamModule, type Versions, versionsAt } from './versions.js';

export interface StreamOpener {
  readonly actor: KeyActor;
  /** The scope that the key must keep. */
  readonly scope: KeyScope;
  /** The `id` of the last event that the client has, or the position of its answer; null without one. */
  readonly position: string | null;
  readonly origin: string | undefined;
  readonly address: string;
}

/** A stream of notices, and what it reports. */
export interface StreamRequest extends StreamOpener {
  readonly dialect: StreamDialect;
  readonly modules: ReadonlySet<StreamModule> | null;
}

/** A stream with a reserved slot; one of the two is called, once. */
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
  readonly definitionsOf: (place: ProjectEnvironment) => Promise<WrittenDefinitions>;
  readonly countNotice: (kind: StreamDialect | 'definitions') => void;
}

/** Streams of notices for clients that hold decisions (docs/rest.md, Streams). */
export class StreamService {
  constructor(private readonly parts: StreamParts) {}

  private readonly history = new DefinitionHistory();

  /** Reserves a slot for a stream of notices. Fails with `too_many_streams`. */
  async open(request: StreamRequest): Promise<ReadyStream> {
    const { actor, dialect, modules, position } = request;
    const { watch, streams, passes, clock, countNotice } = this.parts;
    const present = await watch.versions(actor);
    const pass = (): string => {
      countNotice(dialect);
      return passes.issue(actor);
    };
    const options = { dialect, modules, pass, now: () => clock.now() };
    return this.ready(request, streams.take(dialect, holdersOf(actor)), (stream) => {
      const client = new ClientStream(stream, seenAt(position, present), options);
      return { client, begin: () => client.begin(), present };
    });
  }

  /** Reserves a slot for a stream of definitions. Fails with `too_many_streams`. */
  async openDefinitions(request: StreamOpener): Promise<ReadyStream> {
    const { actor, position } = request;
    const { watch, streams, definitionsOf, countNotice } = this.parts;
    const place = { projectId: actor.projectId, environment: actor.environment };
    const present = await watch.versions(place);
    const definitions = await definitionsOf(place);
    this.history.record(place, definitions);
    const options = {
      place,
      history: this.history,
      read: () => definitionsOf(place),
      onSent: () => countNotice('definitions'),
    };
    return this.ready(request, streams.take('definitions', holdersOf(actor)), (stream) => {
      const client = new DefinitionStream(stream, position, options);
      return { client, begin: () => client.begin(definitions), present };
    });
  }

  private ready(
    { actor, scope, origin, address }: StreamOpener,
    { open, release }: StreamPlace,
    make: (stream: OpenStream) => { client: ChangeListener; begin: () => void; present: Versions },
  ): ReadyStream {
    const { watch, guard } = this.parts;
    const hold = (response: ServerResponse): void => {
      const ends: (() => void)[] = [];
      const stream = open(response, () => {
        for (const end of ends) end();
      });
      if (!stream.isOpen) return;
      const { client, begin, present } = make(stream);
      ends.push(watch.listen(actor, client), guard.guard(actor.keyId, { stream, scope, origin, address }));
      begin();
      // What changed since the position, and between the two reads of the versions.
      client.changed(present);
      watch.versions(actor).then(
        (versions) => client.changed(versions),
        () => undefined,
      );
    };
    return { hold, release };
  }
}

/** An unknown position, for example from another release, counts as having seen nothing. */
function seenAt(position: string | null, present: Versions): Versions {
  if (position === null || position === '') return present;
  const seen = versionsAt(position);
  if (!seen) return NOTHING_SEEN;
  // A handshake answer says nothing about surveys.
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
