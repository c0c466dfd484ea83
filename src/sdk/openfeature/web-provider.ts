import {
  ErrorCode,
  type EvaluationContext,
  InvalidContextError,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  ProviderNotReadyError,
  type ResolutionDetails,
  type TrackingEventDetails,
} from '@openfeature/web-sdk';
import type { DecisionChange, FlagDecision } from '../core/decisions.js';
import type { Json } from '../core/json.js';
import type { Properties } from '../core/operations.js';
import { plainJson } from '../core/plain-json.js';
import { failedResolution } from './failed-resolution.js';
import { joinLibrary, leaveLibrary } from './library-users.js';

/** The part of the browser library that the provider uses, declared so that any version's class fits. */
export interface DecidedLibrary {
  readonly ready: Promise<void>;
  readonly knowledge: 'fresh' | 'kept' | 'former' | 'nothing';
  readonly distinctId: string;
  onChange(listener: (change: DecisionChange) => void): () => void;
  flagDetails(key: string): FlagDecision | null;
  identify(distinctId: string): Promise<void>;
  reset(): Promise<void>;
  setContext(context: Readonly<Record<string, Json>>): Promise<void>;
  track(event: string, properties: Readonly<Record<string, Json>>): void;
  close(): Promise<void>;
}

/** The server's reasons as OpenFeature names them (specification, types). */
const REASONS: Readonly<Record<string, string>> = {
  halted: 'DISABLED',
  archived: 'DISABLED',
  rule: 'TARGETING_MATCH',
  rollout: 'SPLIT',
  prerequisite: 'DEFAULT',
  default: 'DEFAULT',
};

/** Why a value may be stale: while a context change is reconciled, it is the value for the previous context. */
const UNSURE: Readonly<Record<string, string>> = { kept: 'CACHED', former: 'STALE' };

/**
 * OpenFeature provider for browsers (specification, 2). Flags come from the browser library passed to it. The targeting
 * key is the distinct id; rules read every other member of the context.
 */
export class QuarterdeckProvider implements Provider {
  readonly metadata = { name: 'Quarterdeck' } as const;
  readonly runsOn = 'client';
  readonly events = new OpenFeatureEventEmitter();
  private isFailed = false;
  private isKnownPerson = false;
  /** Why the context names no person; null when it can be used. */
  private invalid: string | null = null;
  private reconciling: Promise<unknown> = Promise.resolve();
  private stopListening: (() => void) | null = null;

  constructor(private readonly quarterdeck: DecidedLibrary) {}

  /**
   * Resolves at once if an earlier visit left an answer for this context, otherwise once the server has answered. Fails
   * while there is none, and emits ready when it arrives.
   */
  async initialize(context: EvaluationContext = {}): Promise<void> {
    if (!joinLibrary(this.quarterdeck, this)) throw new ProviderFatalError('The library was closed: create another.');
    this.stopListening ??= this.quarterdeck.onChange(({ flags: flagsChanged }) => {
      if (this.isFailed) this.events.emit(ProviderEvents.Ready);
      else if (flagsChanged.length > 0)
        this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...flagsChanged] });
      this.isFailed = false;
    });
    if (Object.keys(context).length > 0) this.takeContext(context);
    if (!this.isKnowing) {
      await this.quarterdeck.ready;
      await this.reconciled();
    }
    this.failUnlessKnowing();
  }

  /**
   * Resolves when the flags match the context; after several changes at once, when they match the last one. Fails while
   * the server is unreachable, and emits ready when it is back.
   */
  async onContextChange(_before: EvaluationContext, context: EvaluationContext): Promise<void> {
    this.takeContext(context);
    await this.reconciled();
    this.failUnlessKnowing();
  }

  async onClose(): Promise<void> {
    this.stopListening?.();
    this.stopListening = null;
    await leaveLibrary(this.quarterdeck, this);
  }

  resolveBooleanEvaluation(key: string, fallback: boolean) {
    return this.resolve(key, fallback, (value) => typeof value === 'boolean');
  }

  resolveStringEvaluation(key: string, fallback: string) {
    return this.resolve(key, fallback, (value) => typeof value === 'string');
  }

  resolveNumberEvaluation(key: string, fallback: number) {
    return this.resolve(key, fallback, (value) => typeof value === 'number');
  }

  resolveObjectEvaluation<T extends JsonValue>(key: string, fallback: T) {
    return this.resolve(key, fallback, (value) => typeof value === 'object' && value !== null);
  }

  /** Records an event of the person on the page. */
  track(name: string, _context: EvaluationContext, details: TrackingEventDetails = {}): void {
    this.quarterdeck.track(name, plainJson(details) as Properties);
  }

  /** Whether the flags match the context, according to the server or an earlier visit. */
  private get isKnowing(): boolean {
    return this.quarterdeck.knowledge === 'fresh' || this.quarterdeck.knowledge === 'kept';
  }

  private failUnlessKnowing(): void {
    this.isFailed = !this.isKnowing;
    if (this.isFailed) throw new ProviderNotReadyError('There are no decisions: the server could not be reached.');
  }

  /** @throws InvalidContextError for a targeting key that is not text: the flags are still those of somebody else. */
  private takeContext({ targetingKey, ...others }: EvaluationContext): void {
    const { quarterdeck } = this;
    this.invalid = typeof (targetingKey ?? '') === 'string' ? null : '"targetingKey" must be a string.';
    if (this.invalid !== null) throw new InvalidContextError(this.invalid);
    const asked: Promise<void>[] = [];
    if (targetingKey) {
      this.isKnownPerson = true;
      if (targetingKey !== quarterdeck.distinctId) asked.push(quarterdeck.identify(targetingKey));
    } else if (this.isKnownPerson) {
      this.isKnownPerson = false;
      asked.push(quarterdeck.reset());
    }
    asked.push(quarterdeck.setContext(plainJson(others) as Readonly<Record<string, Json>>));
    this.reconciling = Promise.all(asked);
  }

  /**
   * OpenFeature considers the provider ready as soon as one of several changes is done, so all of them wait for the
   * last one.
   */
  private async reconciled(): Promise<void> {
    for (let latest: unknown = null; latest !== this.reconciling; ) {
      latest = this.reconciling;
      await latest;
    }
  }

  private resolve<T>(key: string, fallback: T, fits: (value: unknown) => boolean): ResolutionDetails<T> {
    const failed = (code: ErrorCode, message: string) => failedResolution(fallback, code, message);
    const { knowledge } = this.quarterdeck;
    if (this.invalid !== null) return failed(ErrorCode.INVALID_CONTEXT, this.invalid);
    if (knowledge === 'nothing' || this.isFailed)
      return failed(ErrorCode.PROVIDER_NOT_READY, 'There are no decisions yet.');
    const details = this.quarterdeck.flagDetails(key);
    if (details === null) return failed(ErrorCode.FLAG_NOT_FOUND, `There is no flag "${key}".`);
    const { value, variant, version, reason } = details;
    if (!fits(value)) return failed(ErrorCode.TYPE_MISMATCH, `The value of "${key}" has another type.`);
    return {
      value: value as T,
      ...(variant === '' ? {} : { variant }),
      reason: UNSURE[knowledge] ?? REASONS[reason] ?? 'UNKNOWN',
      flagMetadata: { version },
    };
  }
}
