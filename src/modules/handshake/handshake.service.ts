import type { Clock } from '../../kernel/clock.js';
import type { Subject } from '../../targeting/subject.js';
import { flagSubject } from '../switch/evaluation/flag-subject.js';
import { type Answer, decisionAnswer, handshakeAnswer } from './answer.js';
import { AnswerCache } from './answer-cache.js';
import type { DecisionModule } from './decision-modules.js';
import type { Place } from './decision-sources.js';
import {
  type OfrepContext,
  type OfrepFailure,
  type OfrepSuccess,
  ofrepAnswer,
  ofrepEvaluation,
  ofrepSubject,
} from './ofrep.js';
import type { PersonCache } from './person-cache.js';
import { isPersonal, isTimed, type Snapshot } from './snapshot.js';
import type { SnapshotCache } from './snapshot-cache.js';

/** Who asks for decisions, in the SDK's own words. */
export interface DecisionCaller {
  readonly distinctId: string | null;
  readonly appVersion: string | null;
  readonly platform: string | null;
  readonly osVersion: string | null;
  readonly locale: string | null;
  /** What else the request says; it stands over stored properties. */
  readonly context?: ReadonlyMap<string, unknown>;
}

/** How long an answer stands that depends on what is stored about a person, or on the clock. */
const PERSONAL_MS = 450;
const NOBODY = { cohorts: new Set<string>(), properties: new Map<string, unknown>() };

/** Composes the decisions of all modules; every answer comes from the snapshot of the environment. */
export class HandshakeService {
  private readonly answers = new AnswerCache();

  constructor(
    private readonly snapshots: SnapshotCache,
    private readonly persons: PersonCache,
    private readonly clock: Clock,
  ) {}

  /**
   * The consolidated answer of some modules (docs/rest.md, Handshake).
   *
   * @param request what tells this request from others of the project: equal texts are answered from memory, and then neither
   *   `modules` nor `caller` is asked.
   */
  async handshake(
    place: Place,
    request: string,
    modules: () => readonly DecisionModule[],
    caller: () => DecisionCaller,
  ): Promise<Answer> {
    return this.answer(place, `handshake ${request}`, modules, caller, handshakeAnswer);
  }

  /** One module's slice of the handshake, under its own entity tag. */
  async decision(place: Place, request: string, module: DecisionModule, caller: () => DecisionCaller): Promise<Answer> {
    const modules = () => [module];
    return this.answer(place, `${module} ${request}`, modules, caller, (snapshot, _, subject) =>
      decisionAnswer(snapshot, module, subject),
    );
  }

  /** All flags, in the form of OpenFeature's remote evaluation. */
  async ofrepAll(place: Place, context: OfrepContext): Promise<Answer> {
    const snapshot = await this.snapshots.get(place);
    return ofrepAnswer(snapshot, await this.ofrepSubject(place, snapshot, context));
  }

  /** One flag, in the form of OpenFeature's remote evaluation. */
  async ofrepOne(place: Place, key: string, context: OfrepContext): Promise<OfrepSuccess | OfrepFailure> {
    const snapshot = await this.snapshots.get(place);
    return ofrepEvaluation(snapshot, key, await this.ofrepSubject(place, snapshot, context));
  }

  private async answer(
    place: Place,
    request: string,
    modulesOf: () => readonly DecisionModule[],
    caller: () => DecisionCaller,
    make: (snapshot: Snapshot, modules: readonly DecisionModule[], subject: Subject) => Answer,
  ): Promise<Answer> {
    const snapshot = await this.snapshots.get(place);
    const now = this.clock.now().getTime();
    const key = answerKey(place, request);
    const known = this.answers.find(key, snapshot, now);
    if (known) return known;
    const modules = modulesOf();
    const personal = isPersonal(snapshot, modules);
    const facts = caller();
    const stored =
      personal && facts.distinctId
        ? await this.persons.get(place.projectId, place.environment, facts.distinctId)
        : NOBODY;
    const answer = make(snapshot, modules, flagSubject({ ...facts, ...stored, now }));
    const passing = personal || isTimed(snapshot, modules);
    this.answers.keep(key, snapshot, now, answer, passing ? PERSONAL_MS : Number.POSITIVE_INFINITY);
    return answer;
  }

  private async ofrepSubject(place: Place, snapshot: Snapshot, context: OfrepContext): Promise<Subject> {
    const personal = isPersonal(snapshot, ['switch']) && context.distinctId !== null;
    return ofrepSubject(
      context,
      personal ? await this.persons.get(place.projectId, place.environment, context.distinctId as string) : NOBODY,
      this.clock.now().getTime(),
    );
  }
}

function answerKey(place: Place, request: string): string {
  return `${place.projectId} ${place.environment} ${request}`;
}
