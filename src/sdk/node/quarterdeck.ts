import type { Needs } from '../../targeting/needs.js';
import type { Subject } from '../../targeting/subject.js';
import { Breadcrumbs } from '../core/breadcrumbs.js';
import type { Connection } from '../core/connection.js';
import { CRASHES_PATH, type CrashReport, crashCourier, thrown } from '../core/crash-reports.js';
import type { Bootstrap } from '../core/decisions.js';
import { guardOf } from '../core/failing.js';
import { type Data, type Json, typed } from '../core/json.js';
import { BATCH_PATH, bodyOf, type Operation, operationCourier } from '../core/operations.js';
import { inWords, jsonText, plainJson } from '../core/plain-json.js';
import { scriptImages } from '../core/script-images.js';
import type { ConfigFallback, ConfigKey, ConfigValue, FlagFallback, FlagKey, FlagValue } from '../core/typed-keys.js';
import { type ConfigDetails, Decider, type FlagDetails } from './decider.js';
import { DefinitionFeed } from './definition-feed.js';
import type { Definitions } from './definitions.js';
import { type EvaluationContext, NOBODY, type Surroundings, subjectOf } from './evaluation-context.js';
import { keep, readKept } from './kept-definitions.js';
import { KnownBuckets } from './known-buckets.js';
import { awaited, type NodePlatform, nodePlatform } from './node-platform.js';
import { millisecondsOr, type NodeOptions, numberOr } from './options.js';
import { beforeEnd } from './process-end.js';
import { listening } from './process-events.js';
import { ProcessOutbox } from './process-outbox.js';
import { sendBySuccessor } from './successor.js';

/** A process may run for months, so it checks whether the key or the server has been fixed. */
const REST = { restSeconds: 300 };
const FLUSH = { flushAt: 100, flushSeconds: 5, mostAtOnce: 500, ...REST };
const CRASHES = { flushAt: 1, flushSeconds: 1, most: 100, mostAtOnce: 10, ...REST };
/** Keeps one broken loop from using up a project's quota. */
const MOST_CRASHES_A_MINUTE = 60;
const CLOSE_MS = 5_000;
const LEFT_BEHIND = 'Quarterdeck: some data could not be sent before the process ended.';
const CLOSED = 'Quarterdeck: the library is closed; what is recorded from now on is dropped.';

/** Data sent with an error. */
export interface CrashDetails {
  readonly distinctId?: string | undefined;
  readonly level?: CrashReport['level'] | undefined;
  readonly tags?: Data | undefined;
  readonly extra?: Data | undefined;
}

/** Flags, config, events and crashes of one project in a Node process. No method throws. */
export class Quarterdeck {
  private readonly begun: Promise<boolean>;
  private readonly options: NodeOptions;
  private decider: Decider | null = null;
  private surroundings: Surroundings;
  private readonly platform: NodePlatform;
  private readonly feed: DefinitionFeed;
  private readonly operations: ProcessOutbox<Operation>;
  private readonly crashes: ProcessOutbox<CrashReport>;
  private readonly safely: ReturnType<typeof guardOf>;
  private readonly ending = new AbortController();
  private readonly listeners = new Set<() => void>();
  private readonly toldNeeds = new Set<string>();
  private readonly stops: (() => void)[] = [];
  private readonly crumbs: Breadcrumbs;
  private recentCrashes: number[] = [];
  /** The server was unavailable when an exception had to be reported. */
  private isAway = false;
  /** It was in the current turn, in which the process may end. */
  private isAwayNow = false;
  private isClosedSaid = false;

  constructor(given: NodeOptions) {
    const options = given ?? {};
    this.options = options;
    // Options that are missing at run time must not crash the process.
    const [url, key] = [inWords(options.url).replace(/\/+$/, ''), inWords(options.key)];
    const { warn = (message: string) => process.emitWarning(message) } = options;
    this.platform = nodePlatform(key, this.ending.signal, warn);
    const exitMs = millisecondsOr(options.exitMs, 2_000);
    this.surroundings = { now: this.platform.now, bucket: new KnownBuckets().of };
    this.safely = guardOf(this.platform);
    this.crumbs = new Breadcrumbs(this.platform);
    const connection: Connection = { platform: this.platform, url, key };
    const isOpen = (): boolean => true;
    const queue = { ...FLUSH, most: Math.max(1, numberOr(options.queueSize, 10_000)), isOpen };
    this.operations = new ProcessOutbox(this.platform, operationCourier(connection), 'operations:', 'process', queue);
    this.crashes = new ProcessOutbox(this.platform, crashCourier(connection), 'crashes:', 'process', {
      ...CRASHES,
      isOpen,
    });
    this.feed = new DefinitionFeed(connection, {
      stream: options.stream ?? true,
      pollSeconds: Math.max(1, numberOr(options.pollSeconds, 30)),
      onDefinitions: (definitions) => this.take(definitions, true),
      onReachable: () => {
        for (const outbox of [this.operations, this.crashes]) outbox.reachable();
      },
      problem: this.platform.problem,
    });
    const begin = options.bootstrap ?? (options.file === undefined ? null : readKept(options.file));
    if (begin) this.take(begin, false);
    this.begun =
      (options.fetch ?? true) ? this.feed.start().catch(() => false) : Promise.resolve(this.decider !== null);
    if (options.captureErrors ?? true)
      this.stops.push(
        listening('uncaughtExceptionMonitor', (error) => this.safely(() => this.uncaught(connection, exitMs, error))),
      );
    if (options.flushOnExit ?? true) {
      this.stops.push(beforeEnd((milliseconds) => this.close(milliseconds), exitMs));
      this.stops.push(
        listening('exit', () => {
          if (!this.isAwayNow) this.sendRest(connection, exitMs, []);
        }),
      );
    }
  }

  /** Resolves after the first request: true with definitions from the server, false when it is unavailable. */
  get ready(): Promise<boolean> {
    return awaited(this.begun);
  }

  /** The value of a flag, or the fallback when there is none or its type differs from the fallback's. */
  flag<K extends FlagKey, T extends FlagFallback<K>>(
    key: K,
    fallback: T,
    context: EvaluationContext = NOBODY,
  ): FlagValue<K, T> {
    try {
      const subject = this.subject(context);
      this.tellNeeds('flag', key, context);
      return typed(this.decider?.flagValue(key, subject), fallback) as FlagValue<K, T>;
    } catch (error) {
      return this.failed(error, fallback) as FlagValue<K, T>;
    }
  }

  /** The value, variant and reason of a flag; null for an unknown flag. */
  flagDetails(key: string, context: EvaluationContext = NOBODY): FlagDetails | null {
    return this.safely(() => this.decider?.flagDetails(key, this.subject(context)) ?? null, null);
  }

  /** The value of a config item, or the fallback when there is none or its type differs from the fallback's. */
  config<K extends ConfigKey, T extends ConfigFallback<K>>(
    key: K,
    fallback: T,
    context: EvaluationContext = NOBODY,
  ): ConfigValue<K, T> {
    try {
      const subject = this.subject(context);
      this.tellNeeds('config', key, context);
      return typed(this.decider?.config(key, subject)?.value, fallback) as ConfigValue<K, T>;
    } catch (error) {
      return this.failed(error, fallback) as ConfigValue<K, T>;
    }
  }

  /** The value and reason of a config item; null for an unknown item. */
  configDetails(key: string, context: EvaluationContext = NOBODY): ConfigDetails | null {
    return this.safely(() => this.decider?.config(key, this.subject(context)) ?? null, null);
  }

  /** All values for a context: pass them to the browser library as `bootstrap` when you render pages on the server. */
  bootstrap(context: EvaluationContext = NOBODY): Bootstrap {
    return this.safely(() => {
      const subject = this.subject(context);
      const { decider } = this;
      if (!decider) return {};
      return {
        flags: Object.fromEntries([...decider.flagKeys].map((key) => [key, decider.flagValue(key, subject) as Json])),
        config: Object.fromEntries(
          [...decider.itemKeys].map((key) => [key, decider.config(key, subject)?.value ?? null]),
        ),
      };
    }, {} as Bootstrap);
  }

  /** Whether there are definitions, from the server, a file or `bootstrap`. */
  get isReady(): boolean {
    return this.decider !== null;
  }

  /** Whether a stream of changes is open. */
  get isStreaming(): boolean {
    return this.feed.isStreaming;
  }

  /** Calls back whenever definitions change. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Records an event of a person. */
  track(distinctId: string, event: string, properties: Data = {}): void {
    this.safely(() => {
      const { platform } = this;
      this.queue(this.operations, {
        type: 'track',
        payload: {
          event_name: event,
          distinct_id: distinctId,
          timestamp: new Date(platform.now()).toISOString(),
          insert_id: platform.uuid(),
          properties,
        },
      });
    });
  }

  /** Sets properties of a person; null removes a property. */
  setProperties(distinctId: string, properties: Data): void {
    this.safely(() =>
      this.queue(this.operations, { type: 'people', payload: { distinct_id: distinctId, properties } }),
    );
  }

  /** Merges two ids into one person, known as `distinctId` from now on. */
  alias(distinctId: string, aliasId: string): void {
    this.safely(() =>
      this.queue(this.operations, { type: 'alias', payload: { alias_id: aliasId, distinct_id: distinctId } }),
    );
  }

  /** Reports an error that your code has caught. */
  captureError(error: unknown, details?: CrashDetails): void {
    this.safely(() => {
      const report = this.report(error, Object(plainJson(details)));
      if (report) this.queue(this.crashes, report);
    });
  }

  /** Adds a breadcrumb to the next crash reports. */
  breadcrumb(category: string, message: string, data?: unknown): void {
    this.crumbs.leave(category, message, data);
  }

  /**
   * Sends what is waiting. Resolves with the number of items still waiting, for example when the server is unreachable.
   */
  async flush(): Promise<number> {
    await awaited(Promise.all([this.operations.flush(), this.crashes.flush()])).catch(() => undefined);
    return this.operations.length + this.crashes.length;
  }

  /**
   * Sends what is waiting, for at most that many milliseconds, and stops the library. Decisions keep working as they
   * are.
   */
  async close(milliseconds = CLOSE_MS): Promise<void> {
    this.feed.stop();
    for (const stop of this.stops.splice(0)) stop();
    const late = setTimeout(() => this.ending.abort(), millisecondsOr(milliseconds, CLOSE_MS));
    // Items waiting for the end of a pause would be lost.
    for (const outbox of [this.operations, this.crashes]) outbox.endPause();
    const left = await this.flush();
    if (left > 0) this.platform.warn(LEFT_BEHIND);
    clearTimeout(late);
    this.ending.abort();
  }

  /**
   * Reports an exception that may end the process. If it continues, an unsent report waits like others and does not
   * delay later exceptions.
   */
  private uncaught(connection: Connection, milliseconds: number, error: unknown): void {
    const report = this.report(error, { level: 'fatal' });
    if (!report) return;
    if (!this.isAway || this.crashes.length === 0) {
      this.isAway = !this.sendRest(connection, milliseconds, [jsonText(report)]);
      if (!this.isAway) return;
      this.isAwayNow = true;
      this.platform.later(0, () => {
        this.isAwayNow = false;
      });
    }
    this.crashes.add(report);
  }

  /** Sends reports and waiting items while the process ends; resolves with whether the server has everything. */
  private sendRest({ url, key }: Connection, milliseconds: number, reports: readonly string[]): boolean {
    const crashes = [...this.crashes.items, ...reports];
    const waiting = this.operations.items;
    const requests = crashes.length > 0 ? [{ path: CRASHES_PATH, body: bodyOf('events', crashes) }] : [];
    for (let at = 0; at < waiting.length; at += FLUSH.mostAtOnce)
      requests.push({ path: BATCH_PATH, body: bodyOf('operations', waiting.slice(at, at + FLUSH.mostAtOnce)) });
    if (requests.length === 0) return true;
    const isTaken = sendBySuccessor({ url, key, requests, milliseconds });
    if (!isTaken) this.platform.warn(LEFT_BEHIND);
    else for (const outbox of [this.crashes, this.operations]) outbox.clear();
    return isTaken;
  }

  private take(definitions: Definitions, isFresh: boolean): void {
    this.safely(() => {
      this.decider = new Decider(definitions);
      this.surroundings = { ...this.surroundings, memberships: this.decider.cohorts };
      this.toldNeeds.clear();
      const { file } = this.options;
      const problem = isFresh && file !== undefined ? keep(file, definitions) : null;
      if (problem) this.platform.warn(`Quarterdeck: could not store the definitions in ${file}: ${problem}`);
    });
    for (const listener of this.listeners) this.safely(listener);
  }

  private subject(context: EvaluationContext): Subject {
    return subjectOf(context, this.surroundings);
  }

  /** Warns once that rules need data that only the server stores and the context lacks. */
  private tellNeeds(kind: 'flag' | 'config', key: string, { properties, context, cohorts }: EvaluationContext): void {
    if (properties !== undefined && cohorts !== undefined) return;
    const needs: Needs | null = (kind === 'flag' ? this.decider?.flagNeeds(key) : this.decider?.itemNeeds(key)) ?? null;
    if (needs === null || (needs.properties.length === 0 && !needs.cohorts)) return;
    const isSaid =
      (properties !== undefined || context !== undefined || needs.properties.length === 0) &&
      (cohorts !== undefined || !needs.cohorts);
    if (isSaid || this.toldNeeds.has(key)) return;
    this.toldNeeds.add(key);
    const asked = [...needs.properties.map((name) => `properties.${name}`), ...(needs.cohorts ? ['cohorts'] : [])];
    this.platform.warn(
      `Quarterdeck: rules of "${key}" use ${asked.join(', ')}, which the context lacks. Add it to the context: this process does not know what the server stores.`,
    );
  }

  /** Queues an item for sending; nobody sends it after {@link close}, which is said once. */
  private queue<Item>(outbox: ProcessOutbox<Item>, item: Item): void {
    if (!this.ending.signal.aborted) outbox.add(item);
    else if (!this.isClosedSaid) {
      this.isClosedSaid = true;
      this.platform.warn(CLOSED);
    }
  }

  private failed<T>(error: unknown, otherwise: T): T {
    this.platform.warn(`Quarterdeck: ${inWords(error)}`);
    return otherwise;
  }

  private report(
    error: unknown,
    { distinctId = '', level = 'error', tags = {}, extra = {} }: CrashDetails,
  ): CrashReport | null {
    const { platform } = this;
    const now = platform.now();
    this.recentCrashes = this.recentCrashes.filter((at) => Math.abs(now - at) < 60_000);
    if (this.recentCrashes.length >= MOST_CRASHES_A_MINUTE) return null;
    this.recentCrashes.push(now);
    return {
      event_id: platform.uuid(),
      timestamp: new Date(now).toISOString(),
      level,
      platform: 'javascript',
      release: this.options.release ?? null,
      distinct_id: distinctId,
      ...thrown(error),
      breadcrumbs: this.crumbs.all,
      debug_images: scriptImages(),
      tags: { runtime: `node ${process.version}`, ...tags },
      extra: { ...extra, flags: this.decider?.lastValues() ?? {} },
    };
  }
}

/** Starts the library for one project. Invalid options are reported as a warning, and fallbacks are served. */
export const createQuarterdeck = (options: NodeOptions): Quarterdeck => new Quarterdeck(options);
