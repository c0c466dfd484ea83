import {
  ErrorCode,
  type EvaluationContext,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  ProviderNotReadyError,
  type ResolutionDetails,
  type TrackingEventDetails,
} from '@openfeature/server-sdk';
import type { Properties } from '../core/operations.js';
import { plainJson } from '../core/plain-json.js';
import type { Quarterdeck } from '../node/quarterdeck.js';
import { failedResolution } from './failed-resolution.js';
import { readContext } from './given-context.js';
import { joinLibrary, leaveLibrary } from './library-users.js';

/** The part of the Node library that the provider uses, declared so that any version's class fits. */
export type DecidingLibrary = Pick<Quarterdeck, 'ready' | 'isReady' | 'onChange' | 'flagDetails' | 'track' | 'close'>;

/** OpenFeature provider for servers (specification, 2). The Node library passed to it decides flags in the process. */
export class QuarterdeckProvider implements Provider {
  readonly metadata = { name: 'Quarterdeck' } as const;
  readonly runsOn = 'server';
  readonly events = new OpenFeatureEventEmitter();
  private isFailed = false;
  private stopListening: (() => void) | null = null;

  constructor(private readonly library: DecidingLibrary) {}

  /**
   * Resolves at once if a file or `bootstrap` has definitions, otherwise once the server has answered. Fails while
   * there are none, and emits ready when they arrive.
   */
  async initialize(): Promise<void> {
    if (!joinLibrary(this.library, this)) throw new ProviderFatalError('The library was closed: create another.');
    this.stopListening ??= this.library.onChange(() => {
      this.events.emit(this.isFailed ? ProviderEvents.Ready : ProviderEvents.ConfigurationChanged);
      this.isFailed = false;
    });
    if (!this.library.isReady) await this.library.ready;
    this.isFailed = !this.library.isReady;
    if (this.isFailed) throw new ProviderNotReadyError('There are no definitions: the server could not be reached.');
  }

  async onClose(): Promise<void> {
    this.stopListening?.();
    this.stopListening = null;
    await leaveLibrary(this.library, this);
  }

  async resolveBooleanEvaluation(key: string, fallback: boolean, context: EvaluationContext) {
    return this.resolve(key, fallback, context, (value) => typeof value === 'boolean');
  }

  async resolveStringEvaluation(key: string, fallback: string, context: EvaluationContext) {
    return this.resolve(key, fallback, context, (value) => typeof value === 'string');
  }

  async resolveNumberEvaluation(key: string, fallback: number, context: EvaluationContext) {
    return this.resolve(key, fallback, context, (value) => typeof value === 'number');
  }

  async resolveObjectEvaluation<T extends JsonValue>(key: string, fallback: T, context: EvaluationContext) {
    return this.resolve(key, fallback, context, (value) => typeof value === 'object' && value !== null);
  }

  /** Stores an event of the person in the context; without a person it is dropped. */
  track(name: string, context: EvaluationContext, details: TrackingEventDetails): void {
    if (context.targetingKey) this.library.track(context.targetingKey, name, plainJson(details) as Properties);
  }

  private resolve<T>(
    key: string,
    fallback: T,
    context: EvaluationContext,
    fits: (value: unknown) => boolean,
  ): ResolutionDetails<T> {
    const failed = (code: ErrorCode, message: string) => failedResolution(fallback, code, message);
    if (!this.library.isReady) return failed(ErrorCode.PROVIDER_NOT_READY, 'There are no definitions yet.');
    const read = readContext(context);
    if (typeof read === 'string') return failed(ErrorCode.INVALID_CONTEXT, read);
    const details = this.library.flagDetails(key, read);
    if (details === null) return failed(ErrorCode.FLAG_NOT_FOUND, `There is no flag "${key}".`);
    const { value, variant, version, openFeatureReason, lacksBucket } = details;
    if (lacksBucket) {
      const message = 'A percentage or a split needs a "targetingKey", or the attribute used for bucketing.';
      return failed(ErrorCode.TARGETING_KEY_MISSING, message);
    }
    if (!fits(value)) return failed(ErrorCode.TYPE_MISMATCH, `The value of "${key}" has another type.`);
    return { value: value as T, variant, reason: openFeatureReason, flagMetadata: { version } };
  }
}
