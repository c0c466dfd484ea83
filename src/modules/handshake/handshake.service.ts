import type { ProjectEnvironment } from '../../kernel/actor.js';
import type { Clock } from '../../kernel/clock.js';
import { type MaybePromise, thenMaybe } from '../../kernel/values/maybe-promise.js';
import type { Subject } from '../../targeting/subject.js';
import { propertiesOfFacts } from '../ingest/people/person-facts.js';
import { flagSubject } from '../switch/evaluation/flag-subject.js';
import {
  type Decided,
  type DecisionCaller,
  decisionAnswer,
  handshakeAnswer,
  type ServedOutcomes,
  servedHandshake,
  servedSlice,
} from './answer.js';
import { AnswerCache } from './answer-cache.js';
import type { DecisionModule } from './decision-modules.js';
import type { PersonSources } from './decision-sources.js';
import type { WrittenDefinitions } from './definitions.js';
import { isOfrepFailure, ofrepAnswer, ofrepEvaluation, servedOfrep } from './ofrep.js';
import type { OfrepFailure, OfrepSuccess } from './ofrep-flag.js';
import { type KnownPerson, PersonCache } from './person-cache.js';
import type { ServedDecisions } from './served-decisions.js';
import { concerns, type Snapshot } from './snapshot.js';
import type { SnapshotCache } from './snapshot-cache.js';

/** A finished answer: the strong entity tag that covers what was evaluated, and JSON, written on demand. */
export interface Answer {
  readonly etag: string;
  /** The position for a change stream that misses nothing after this answer; see `positionOf`. */
  readonly position: string;
  /** Whether it depends on rules with a time condition, so that it may change without a notice. */
  readonly timed: boolean;
  /** Bytes if cached, else text. */
  readonly body: Buffer | string;
}

type Modules = readonly DecisionModule[];
const FLAGS_ALONE: Modules = ['switch'];

/** What a request asks for; neither is called if the answer is known. */
interface Question {
  readonly modules: () => Modules;
  readonly caller: () => DecisionCaller;
  readonly decide: (snapshot: Snapshot, modules: Modules, subject: Subject) => Decided;
  /** The JSON of an earlier decision. */
  readonly jsonOf: (snapshot: Snapshot, modules: Modules, outcomes: ServedOutcomes) => string;
}

/** Composes the decisions of all modules; every answer comes from the environment's snapshot. */
export class HandshakeService {
  private readonly answers: AnswerCache;
  private readonly persons: PersonCache;

  /** @param bytes cache size for persons and answers. */
  constructor(
    private readonly snapshots: SnapshotCache,
    sources: PersonSources,
    private readonly clock: Clock,
    private readonly servedDecisions: ServedDecisions,
    bytes: number,
  ) {
    const persons = new PersonCache(sources, clock, bytes / 4);
    this.persons = persons;
    this.answers = new AnswerCache({ answers: (bytes * 5) / 8, bodies: bytes / 8 }, (ticket) => persons.stands(ticket));
  }

  /**
   * The consolidated answer of some modules (docs/rest.md, Handshake).
   *
   * @param request identifies this request among others of the project: equal texts are answered from the cache, without calling
   * `modules` or `caller`.
   */
  handshake(
    place: ProjectEnvironment,
    request: string,
    modules: () => readonly DecisionModule[],
    caller: () => DecisionCaller,
  ): MaybePromise<Answer> {
    return this.answer(place, `handshake ${request}`, {
      modules,
      caller,
      decide: handshakeAnswer,
      jsonOf: servedHandshake,
    });
  }

  /** One module's slice of the handshake, under its own entity tag. */
  decision(
    place: ProjectEnvironment,
    request: string,
    module: DecisionModule,
    caller: () => DecisionCaller,
  ): MaybePromise<Answer> {
    return this.answer(place, `${module} ${request}`, {
      modules: () => [module],
      caller,
      decide: (snapshot, _, subject) => decisionAnswer(snapshot, module, subject),
      jsonOf: (snapshot, _, outcomes) => servedSlice(snapshot, module, outcomes).json(),
    });
  }

  /** All flags, in the format of OpenFeature's remote evaluation. `request` as in {@link handshake}. */
  ofrepAll(place: ProjectEnvironment, request: string, caller: DecisionCaller): MaybePromise<Answer> {
    return this.answer(place, `ofrep ${request}`, {
      modules: () => FLAGS_ALONE,
      caller: () => caller,
      decide: (snapshot, _, subject) => ofrepAnswer(snapshot, subject),
      jsonOf: (snapshot, _, outcomes) => servedOfrep(snapshot, outcomes),
    });
  }

  /** One flag, in the format of OpenFeature's remote evaluation. */
  ofrepOne(place: ProjectEnvironment, key: string, caller: DecisionCaller): MaybePromise<OfrepSuccess | OfrepFailure> {
    return this.ready(place, (snapshot) =>
      thenMaybe(this.personOf(place, snapshot, FLAGS_ALONE, caller), (person) => {
        const subject = subjectOf(snapshot, caller, person, this.clock.now().getTime());
        const evaluated = ofrepEvaluation(snapshot, key, subject);
        if (!isOfrepFailure(evaluated))
          this.servedDecisions.addFlag(snapshot, key, evaluated.metadata.version, evaluated.variant);
        return evaluated;
      }),
    );
  }

  /** What flags and config items are decided by (docs/rest.md, Definitions). */
  async definitions(place: ProjectEnvironment): Promise<WrittenDefinitions> {
    return (await this.snapshots.get(place)).definitions();
  }

  /** Decides from a place's snapshot, once the cached facts about persons are recent enough. */
  private ready<T>(place: ProjectEnvironment, decide: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return thenMaybe(this.snapshots.get(place), (snapshot) =>
      thenMaybe(snapshot.personal.size > 0 ? this.persons.upToDate() : undefined, () => decide(snapshot)),
    );
  }

  private answer(place: ProjectEnvironment, request: string, question: Question): MaybePromise<Answer> {
    return this.ready(place, (snapshot) => {
      const key = `${place.projectId} ${place.environment} ${request}`;
      const kept = this.answers.find(key, snapshot, this.clock.now().getTime());
      if (!kept) return this.decided(place, key, snapshot, question);
      this.servedDecisions.add(snapshot, kept);
      const json = () => question.jsonOf(snapshot, kept.modules, kept);
      return new LazyAnswer(this.answers, snapshot.position, kept.etag, concerns(snapshot.timed, kept.modules), json);
    });
  }

  /** Decides what isn't known yet, and caches it. */
  private decided(
    place: ProjectEnvironment,
    key: string,
    snapshot: Snapshot,
    question: Question,
  ): MaybePromise<Answer> {
    const now = this.clock.now().getTime();
    const [modules, caller] = [question.modules(), question.caller()];
    return thenMaybe(this.personOf(place, snapshot, modules, caller), (person) => {
      const { etag, json, served } = question.decide(snapshot, modules, subjectOf(snapshot, caller, person, now));
      const madeAt = concerns(snapshot.timed, modules) ? now : null;
      this.servedDecisions.add(snapshot, served);
      const { fingerprint } = snapshot;
      this.answers.keep(key, {
        switch: served.switch,
        config: served.config,
        ofrep: served.ofrep,
        analytics: served.analytics,
        modules,
        etag,
        fingerprint,
        ticket: person?.ticket ?? null,
        madeAt,
      });
      return new LazyAnswer(this.answers, snapshot.position, etag, madeAt !== null, json);
    });
  }

  /** The facts that some modules' answer depends on; null if it depends on none. */
  private personOf(
    place: ProjectEnvironment,
    snapshot: Snapshot,
    modules: readonly DecisionModule[],
    { distinctId }: DecisionCaller,
  ): MaybePromise<KnownPerson | null> {
    if (!distinctId || !concerns(snapshot.personal, modules)) return null;
    return this.persons.get(place, snapshot, distinctId);
  }
}

/**
 * An answer written on demand. A class, because V8 gives every object literal with a getter its own hidden class, which keeps the whole
 * request alive until the next full collection.
 */
class LazyAnswer implements Answer {
  constructor(
    private readonly answers: AnswerCache,
    readonly position: string,
    readonly etag: string,
    readonly timed: boolean,
    private readonly json: () => string,
  ) {}

  get body(): Buffer | string {
    return this.answers.body(this.etag, this.json);
  }
}

function subjectOf(snapshot: Snapshot, caller: DecisionCaller, person: KnownPerson | null, now: number): Subject {
  const memberships = snapshot.cohorts.byRules;
  if (person === null) return flagSubject({ ...caller, memberships, now });
  const properties = propertiesOfFacts(person);
  const cohorts = snapshot.cohorts.of(properties, person.ids ?? [caller.distinctId as string]);
  return flagSubject({ ...caller, properties, cohorts, memberships, now });
}
