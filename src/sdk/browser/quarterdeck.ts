import { Breadcrumbs } from '../core/breadcrumbs.js';
import type { Connection } from '../core/connection.js';
import { type Consent, ConsentedStore, isConsent } from '../core/consented-store.js';
import { DecisionClient, type Knowledge, type Subject } from '../core/decision-client.js';
import type { DecisionChange, FlagDecision } from '../core/decisions.js';
import { guardOf } from '../core/failing.js';
import { type Data, type Json, typed } from '../core/json.js';
import { LiveUpdates } from '../core/live-updates.js';
import type { Operation } from '../core/operations.js';
import { inWords, plainJson, plainMembers } from '../core/plain-json.js';
import type { Platform } from '../core/platform.js';
import { Session, START } from '../core/session.js';
import type { ShowOptions } from '../core/surveys/survey-bundle.js';
import { Surveys } from '../core/surveys/surveys.js';
import type { ConfigFallback, ConfigKey, ConfigValue, FlagFallback, FlagKey, FlagValue } from '../core/typed-keys.js';
import { browserPlatform, IS_PAGE, madeInAdvance } from './browser-platform.js';
import { browserStore, type TabStore, type Written } from './browser-store.js';
import { IDENTIFY_MS } from './limits.js';
import type { QuarterdeckOptions } from './options.js';
import { Outboxes } from './outboxes.js';
import { type CrashDetails, PageCrashes } from './page-crash.js';
import { watchPage } from './page-crumbs.js';
import { listenToErrors } from './page-errors.js';
import { listenToPage } from './page-events.js';
import { TabLead } from './tab-lead.js';
import { SAID, type TabMessage, Tabs } from './tabs.js';

/** Flags, config, events, crashes and surveys of one project in a browser. No method throws. */
export class Quarterdeck {
  /** Resolves once the server has answered for the first time or turned out to be unavailable. */
  readonly ready: Promise<void>;
  private readonly options: QuarterdeckOptions;
  private readonly prefix: string;
  private readonly device: TabStore;
  private readonly store: ConsentedStore;
  private readonly platform: Platform;
  private readonly session: Session;
  private readonly decisions: DecisionClient;
  private readonly live: LiveUpdates;
  private readonly tabs: Tabs;
  private readonly lead: TabLead;
  private readonly outboxes: Outboxes;
  private readonly surveys: Surveys;
  private readonly safely: ReturnType<typeof guardOf>;
  private readonly crumbs: Breadcrumbs;
  private readonly pageCrashes: PageCrashes;
  private readonly ending = new AbortController();
  private context: Readonly<Record<string, Json>>;
  private asking?: Promise<void> | null;
  private heeded: Consent;

  constructor(given: QuarterdeckOptions) {
    const options = given ?? {};
    this.options = options;
    const { consent = 'granted', context, bootstrap, hold, distinctId } = options;
    // Options that are missing at run time must not break the page.
    const [url, key] = [inWords(options.url), inWords(options.key)];
    this.prefix = `quarterdeck:${key.slice(-8)}:`;
    this.device = browserStore((written) => SAID.test(written.key) && this.tabs?.tell({ is: 'written', written }));
    this.store = new ConsentedStore(this.device, this.prefix, consent);
    this.heeded = this.consent;
    const platform = browserPlatform(this.store);
    this.platform = platform;
    this.tabs = new Tabs(this.prefix, platform.uuid().slice(0, 8));
    this.safely = guardOf(platform);
    this.crumbs = new Breadcrumbs(platform);
    const connection: Connection = { platform, key, url: url.replace(/\/+$/, '') };
    this.context = this.safely(() => plainMembers(context), {});
    this.session = new Session(platform, this.prefix, options.release ?? null);
    this.pageCrashes = new PageCrashes(platform, options, this.session, this.crumbs);
    const isOpen = (): boolean => this.consent === 'granted' && !madeInAdvance();
    const { auto = true, pauseSeconds = 86_400, view, words } = options.surveys ?? {};
    this.surveys = new Surveys(connection, this.prefix, this.session, () => this.decisions.decisions.cohorts, {
      auto,
      pauseSeconds: Number(plainJson(pauseSeconds)),
      locale: this.locale,
      release: options.release ?? null,
      isOpen,
      view: async () => view ?? (await import('../widget/survey-widget.js')).widgetIn(this.locale, words),
    });
    this.outboxes = new Outboxes(connection, this.prefix, this.tabs, isOpen, () => this.live.told());
    if (distinctId !== undefined) this.safely(() => this.join(distinctId));
    this.decisions = new DecisionClient(connection, `${this.prefix}answer`, this.subject(), {
      bootstrap,
      hold,
      onAnswer: (answer) => this.tabs.tell({ is: 'answer', answer }),
    });
    this.live = new LiveUpdates(connection, this.decisions, {
      stream: options.stream ?? true,
      pollSeconds: Math.max(5, Number(plainJson(options.pollSeconds)) || 30),
      onNotice: (notice) => this.tabs.tell({ is: 'notice', subject: this.decisions.subject, notice }),
      onSurveys: () => {
        this.tabs.tell({ is: 'surveys' });
        void this.surveys.refresh(true);
      },
      onReachable: () => this.outboxes.reachable(),
    });
    this.lead = new TabLead(platform, this.tabs, this.live);
    this.onChange(() => this.surveys.look());
    this.ready = this.start();
  }

  /** The value of a flag, or the fallback when there is none or its type differs from the fallback's. */
  flag<K extends FlagKey, T extends FlagFallback<K>>(key: K, fallback: T): FlagValue<K, T> {
    return typed(this.flagDetails(key)?.value, fallback) as FlagValue<K, T>;
  }

  /** The value, variant and reason of a flag; null for an unknown flag. */
  flagDetails(key: string): FlagDecision | null {
    return this.decided(this.decisions.decisions.flags, key);
  }

  /** The value of a config item, or the fallback when there is none or its type differs from the fallback's. */
  config<K extends ConfigKey, T extends ConfigFallback<K>>(key: K, fallback: T): ConfigValue<K, T> {
    return typed(this.decided(this.decisions.decisions.config, key)?.value, fallback) as ConfigValue<K, T>;
  }

  /** Calls back with the changed keys whenever values change. Returns a function that unsubscribes. */
  onChange(listener: (change: DecisionChange) => void): () => void {
    return this.decisions.onChange((change) => this.safely(() => listener(change)));
  }

  /** Records an event. */
  track(event: string, properties: Data = {}): void {
    this.safely(() => {
      if (event !== START) this.tellSession();
      this.add({
        type: 'track',
        payload: {
          event_name: event,
          distinct_id: this.session.id,
          timestamp: new Date(this.platform.now()).toISOString(),
          insert_id: this.platform.uuid(),
          properties,
        },
      });
      this.session.happened(event);
      this.breadcrumb('event', event);
      this.surveys.look();
    });
  }

  /** Identifies the person and joins their earlier activity to them. Resolves when flags and config are theirs. */
  identify(distinctId: string, properties?: Data): Promise<void> {
    return this.safely(() => {
      const plain = plainMembers(properties);
      this.join(distinctId);
      if (Object.keys(plain).length > 0) this.setProperties(plain);
      this.decisions.ofSubject(this.subject());
      // Rules may use what was just set; if the server takes longer to store it, they do so a moment later.
      const late = new Promise((go) => setTimeout(go, IDENTIFY_MS));
      return Promise.race([this.flush(), late]).then(() => this.askAnew());
    }, this.ready);
  }

  /** Sets properties of the person; null removes a property. */
  setProperties(properties: Data): void {
    this.safely(() => {
      const plain = plainMembers(properties);
      this.session.setProperties(plain);
      this.add({ type: 'people', payload: { distinct_id: this.session.id, properties: plain } });
      this.surveys.look();
    });
  }

  /** Replaces what rules read as `context.<key>`. Resolves when flags and config reflect it. */
  setContext(context: Data): Promise<void> {
    return this.safely(() => {
      this.context = plainMembers(context);
      return this.askAnew();
    }, this.ready);
  }

  /** Call this after sign-out: the next person is someone else. Resolves when flags and config are theirs. */
  reset(): Promise<void> {
    return this.safely(() => {
      this.session.reset();
      this.surveys.meet();
      this.tellSession();
      return this.askAnew();
    }, this.ready);
  }

  /** Reports that the person entered a screen, for surveys that target it. */
  screen(name: string): void {
    this.safely(() => this.surveys.enter(name));
  }

  /** Reports an error that your code has caught. */
  captureError(error: unknown, details?: CrashDetails): void {
    this.safely(() => this.report(error, Object(plainJson(details))));
  }

  /** Adds a breadcrumb to the next crash report. */
  breadcrumb(category: string, message: string, data?: unknown): void {
    this.crumbs.leave(category, message, data);
  }

  /** Shows a survey by id or slug; resolves with false when there is none to show. */
  async showSurvey(survey: string, options?: ShowOptions): Promise<boolean> {
    return IS_PAGE && this.surveys.show(survey, true, options);
  }

  closeSurvey(): void {
    this.surveys.close();
  }

  /** Stops surveys from showing by themselves until {@link resumeSurveys}, for example during checkout. */
  pauseSurveys(): void {
    this.surveys.pause();
  }

  resumeSurveys(): void {
    this.safely(() => this.surveys.resume());
  }

  /** Records the person's choice; see docs/sdk.md, Consent. */
  setConsent(consent: Consent): void {
    this.safely(() => {
      if (!isConsent(consent)) throw new TypeError('not a consent');
      this.store.choose(consent);
      this.heed(consent);
    });
  }

  get consent(): Consent {
    return this.store.consent;
  }

  /** The person's distinct id. */
  get distinctId(): string {
    return this.session.id;
  }

  /** Where the values come from: the server, an earlier visit or the page, the previous person, or nowhere yet. */
  get knowledge(): Knowledge {
    return this.decisions.knowledge;
  }

  /** Whether this tab has a stream open; false in tabs that get changes from another tab. */
  get isStreaming(): boolean {
    return this.live.isStreaming;
  }

  /** Sends what is waiting. Resolves with the number of items still waiting, as when the server is down. */
  flush(): Promise<number> {
    return this.outboxes.flush();
  }

  /** Sends what is waiting and stops the library. */
  async close(): Promise<void> {
    this.ending.abort();
    this.surveys.pause();
    this.surveys.close();
    if (IS_PAGE) this.rest();
    await this.flush();
  }

  private decided<T>(values: Readonly<Record<string, T>>, key: string): T | null {
    return this.safely(() => (Object.hasOwn(values, key) && values[key]) || null, null);
  }

  private join(distinctId: string): void {
    const before = this.session.identify(distinctId);
    this.surveys.join(before);
    if (before !== null) this.add({ type: 'alias', payload: { alias_id: before, distinct_id: distinctId } });
  }

  private get locale(): string {
    return this.options.locale ?? globalThis.navigator?.language ?? '';
  }

  private subject(): Subject {
    const { context, locale, options, session } = this;
    return { distinct_id: session.id, platform: 'web', locale, app_version: options.release, context };
  }

  /** Requests decisions for the current subject, once for all changes made in the same turn. */
  private askAnew(): Promise<void> {
    this.decisions.ofSubject(this.subject());
    this.asking ??= Promise.resolve().then(() => {
      this.asking = null;
      return IS_PAGE ? this.live.refresh() : undefined;
    });
    return this.asking;
  }

  /** Called when consent or identity changes, in this tab or another; a choice may be reported twice. */
  private heed(choice?: unknown): void {
    if (isConsent(choice)) {
      if (choice === 'denied' && this.heeded !== choice) {
        this.outboxes.clear();
        this.session.reset();
      }
      this.heeded = choice;
      if (choice === 'granted') {
        this.tellSession();
        void this.flush();
        void this.surveys.refresh();
      } else this.surveys.close();
    }
    if (!this.decisions.ofSubject(this.subject())) return;
    this.surveys.meet();
    void this.askAnew();
  }

  private heard(written: Written): void {
    this.device.hear(written);
    this.heed(written.value);
  }

  private tellSession(): void {
    this.session.goOn();
    const { isReported, told } = this.session.present;
    if (this.options.sessions && this.consent !== 'denied' && !isReported) this.track(START, { ...told });
  }

  private add(operation: Operation): void {
    if (IS_PAGE && this.consent !== 'denied') this.outboxes.operations.add(operation);
  }

  private async start(): Promise<void> {
    if (!IS_PAGE) return;
    const begun = this.begin();
    await this.live.refresh().catch(() => undefined);
    void begun.then(() => this.surveys.refresh());
  }

  /** A prerendered page requests its values, and does everything else once it is shown. */
  private async begin(): Promise<void> {
    const { signal } = this.ending;
    if (madeInAdvance()) {
      await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, this.ending));
      void this.flush();
    }
    this.safely(() => {
      this.tellSession();
      this.work();
      this.device.tidy(this.prefix).catch(() => undefined);
      listenToPage(signal, {
        pagehide: () => this.rest(),
        pageshow: ({ persisted }) => {
          if (!persisted) return;
          // It missed what happened in the meantime.
          void this.live.refresh();
          this.work();
          this.heed(this.consent);
        },
        storage: ({ key, newValue: value }) =>
          key?.startsWith(this.prefix) && this.heard({ key, value, isOnDevice: value !== null }),
        online: () => void Promise.all([this.live.refresh(), this.surveys.refresh()]),
        visibilitychange: () => this.seen(!document.hidden),
      });
      if (this.options.captureErrors ?? true) {
        listenToErrors(signal, this.prefix, (error) => this.safely(() => this.report(error, { level: 'fatal' })));
        watchPage(signal, (category, message) => this.breadcrumb(category, message));
      }
    });
  }

  /** Starts, or resumes after the page returns from the back/forward cache. */
  private work(): void {
    this.live.stop('following');
    this.tabs.join((message) => this.safely(() => this.hear(message)));
    this.outboxes.work();
    this.lead.begin();
  }

  /** Handles a message from another tab, which may run a newer release of the library. */
  private hear(message: TabMessage): void {
    if (message?.is === 'surveys') void this.surveys.refresh(true);
    if (message?.is === 'written') this.heard(message.written);
    if (message?.is === 'answer') this.decisions.take(message.answer);
    if (message?.is === 'notice' && message.subject !== this.decisions.subject) void this.live.refresh(message.notice);
  }

  /** Cleans up when the page is left, so that it can enter the back/forward cache. */
  private rest(): void {
    this.outboxes.flushLast();
    this.lead.leave();
  }

  private seen(isSeen: boolean): void {
    this.lead.seen(isSeen);
    if (isSeen) void this.surveys.refresh();
    // On phones this is the last event a closing page gets.
    else this.outboxes.flushLast();
  }

  private report(error: unknown, details: CrashDetails): void {
    if (!IS_PAGE || this.consent === 'denied') return;
    const report = this.pageCrashes.reportOf(error, details, this.decisions.decisions);
    if (report) this.outboxes.crashes.add(report);
  }
}

/** Starts the library for one project. Invalid options are reported in the console, and fallbacks served. */
export const createQuarterdeck = (options: QuarterdeckOptions): Quarterdeck => new Quarterdeck(options);
