import type { Needs } from '../../targeting/needs.js';
import type { Subject } from '../../targeting/subject.js';
import { Breadcrumbs } from '../core/breadcrumbs.js';
import type { Connection } from '../core/connection.js';
import { CRASHES_PATH, type CrashReport, crashCourier, thrown } from '../core/crash-reports.js';
import type { Bootstrap } from '../core/decisions.js';
import { guardOf } from '../core/failing.js';
import { type Json, typed } from '../core/json.js';
import { BATCH_PATH, bodyOf, type Operation, operationCourier, type Properties } from '../core/operations.js';
import { Outbox } from '../core/outbox.js';
import { inWords, jsonText } from '../core/plain-json.js';
import type { Platform } from '../core/platform.js';
import { scriptImages } from '../core/script-images.js';
import type { ConfigFallback, ConfigKey, ConfigValue, FlagFallback, FlagKey, FlagValue } from '../core/typed-keys.js';
import { type ConfigDetails, Decider, type FlagDetails } from './decider.js';
import { DefinitionFeed } from './definition-feed.js';
import type { Definitions } from './definitions.js';
import { type EvaluationContext, NOBODY, type Surroundings, subjectOf } from './evaluation-context.js';
import { keep, readKept } from './kept-definitions.js';
import { KnownBuckets } from './known-buckets.js';
import { nodePlatform } from './node-platform.js';
import { millisecondsOr, type NodeOptions, numberOr } from './options.js';
import { beforeEnd } from './process-end.js';
import { sendBySuccessor } from './successor.js';

/** A process may not start again for months: it looks whether the key or the server was repaired. */
const REST = { restSeconds: 300 };
const FLUSH = { flushAt: 100, flushSeconds: 5, mostAtOnce: 500, ...REST };
const CRASHES = { flushAt: 1, flushSeconds: 1, most: 100, mostAtOnce: 10, ...REST };
/** One broken loop must not use up a project's quota. */
const MOST_CRASHES_A_MINUTE = 60;
const CLOSE_MS = 5_000;
const LEFT_BEHIND = 'Quarterdeck: what waited at the end could not be sent.';

/** What goes along with an error. */
export interface CrashDetails {
  readonly distinctId?: string;
  readonly level?: CrashReport['level'];
  readonly tags?: Properties;
  readonly extra?: Properties;
}

/** Flags, config, events and crashes of one project in a Node process. No method of it throws. */
export class Quarterdeck {
  /** Resolves when the server has answered for the first time: true with its definitions, false when it is not available for now. */
  readonly ready: Promise<boolean>;
  private readonly options: NodeOptions;
  private decider: Decider | null = null;
  private surroundings: Surroundings;
  private readonly platform: Platform;
  private readonly feed: DefinitionFeed;
  private readonly operations: Outbox<Operation>;
  private readonly crashes: Outbox<CrashReport>;
  private readonly safely: ReturnType<typeof guardOf>;
  private readonly ending = new AbortController();
  private readonly listeners = new Set<() => void>();
  private readonly toldNeeds = new Set<string>();
  private readonly stops: (() => void)[] = [];
  private readonly crumbs: Breadcrumbs;
  private recentCrashes: number[] = [];
  /** The server was away when an exception was to be reported. */
  private isAway = false;
  /** It was in this very turn, in which the process may end. */
  private isAwayNow = false;

  constructor(given: NodeOptions) {
    const options = given ?? {};
    this.options = options;
    // Settings that are missing at run time must not take the process along.
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
    this.operations = new Outbox(this.platform, operationCourier(connection), 'operations:', 'process', queue);
    this.crashes = new Outbox(this.platform, crashCourier(connection), 'crashes:', 'process', { ...CRASHES, isOpen });
    this.feed = new DefinitionFeed(connection, {
      stream: options.stream ?? true,
      pollSeconds: Math.max(1, numberOr(options.pollSeconds, 30)),
      onDefinitions: (definitions) => this.take(definitions, true),
      onReachable: () => {
        for (const outbox of [this.operations, this.crashes]) outbox.reachable();
      },
    });
    const begin = options.bootstrap ?? (options.file === undefined ? null : readKept(options.file));
    if (begin) this.take(begin, false);
    this.ready =
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

  /** Value of a flag; the fallback when there is none, or none of the fallback's type. */
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

  /** Value, variant and reason of a flag; null when it is not known. */
  flagDetails(key: string, context: EvaluationContext = NOBODY): FlagDetails | null {
    return this.safely(() => this.decider?.flagDetails(key, this.subject(context)) ?? null, null);
  }

  /** Value of a config item; the fallback when there is none, or none of the fallback's type. */
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

  /** Value and reason of a config item; null when it is not known. */
  configDetails(key: string, context: EvaluationContext = NOBODY): ConfigDetails | null {
    return this.safely(() => this.decider?.config(key, this.subject(context)) ?? null, null);
  }

  /** All values for somebody: what a page that is made here begins with in the browser (`bootstrap`). */
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

  /** Whether there is anything to decide by: from the server, a file or `bootstrap`. */
  get isReady(): boolean {
    return this.decider !== null;
  }

  /** Whether changes are told by an open stream. */
  get isStreaming(): boolean {
    return this.feed.isStreaming;
  }

  /** Calls back whenever definitions have changed; the returned function ends that. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Something happened to somebody. */
  track(distinctId: string, event: string, properties: Properties = {}): void {
    this.safely(() => {
      const { platform } = this;
      this.operations.add({
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

  /** Merges into what is known about a person; null removes a property. */
  setProperties(distinctId: string, properties: Properties): void {
    this.safely(() => this.operations.add({ type: 'people', payload: { distinct_id: distinctId, properties } }));
  }

  /** Two ids are one person, who is known by `distinctId` from now on. */
  alias(distinctId: string, aliasId: string): void {
    this.safely(() => this.operations.add({ type: 'alias', payload: { alias_id: aliasId, distinct_id: distinctId } }));
  }

  /** Reports an error that the application has caught. */
  captureError(error: unknown, details?: CrashDetails): void {
    this.safely(() => {
      const report = this.report(error, details ?? {});
      if (report) this.crashes.add(report);
    });
  }

  /** Leaves a trace that goes along with the next crash reports. */
  breadcrumb(category: string, message: string, data?: Json): void {
    this.crumbs.leave(category, message, data);
  }

  /** Sends what waits; resolves with how much still waits, because the server could not be reached, for example. */
  async flush(): Promise<number> {
    await Promise.all([this.operations.flush(), this.crashes.flush()]).catch(() => undefined);
    return this.operations.length + this.crashes.length;
  }

  /** Sends what waits, for at most that many milliseconds, and ends all that the library does. Decisions go on as they are. */
  async close(milliseconds = CLOSE_MS): Promise<void> {
    this.feed.stop();
    for (const stop of this.stops.splice(0)) stop();
    const late = setTimeout(() => this.ending.abort(), millisecondsOr(milliseconds, CLOSE_MS));
    // What waits for the end of a pause would be lost.
    for (const outbox of [this.operations, this.crashes]) outbox.endPause();
    const left = await this.flush();
    if (left > 0) this.platform.warn(LEFT_BEHIND);
    clearTimeout(late);
    this.ending.abort();
  }

  /** Reports what may end the process. In one that goes on, a report that could not be sent waits as others do, and holds up no later exception. */
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

  /** Sends reports and what waits while the process ends; whether the server has all of it. */
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
      if (problem) this.platform.warn(`Quarterdeck: the definitions cannot be kept in ${file}: ${problem}`);
    });
    for (const listener of this.listeners) this.safely(listener);
  }

  private subject(context: EvaluationContext): Subject {
    return subjectOf(context, this.surroundings);
  }

  /** Says once that rules ask for what only the server stores, and the context does not say. */
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
      `Quarterdeck: rules of "${key}" ask for ${asked.join(', ')}, which the context does not say; what the server stores is not known in this process.`,
    );
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
      exception: thrown(error),
      breadcrumbs: this.crumbs.all,
      debug_images: scriptImages(),
      tags: { runtime: `node ${process.version}`, ...tags },
      extra: { ...extra, flags: this.decider?.lastValues() ?? {} },
    };
  }
}

/** Listens to the process until the returned function is called. */
function listening(event: 'exit' | 'uncaughtExceptionMonitor', listener: (cause: unknown) => void): () => void {
  process.on(event, listener);
  return () => process.off(event, listener);
}

/** Begins with one project; options that cannot be used are told as a warning, and fallbacks are what is served then. */
export const createQuarterdeck = (options: NodeOptions): Quarterdeck => new Quarterdeck(options);
