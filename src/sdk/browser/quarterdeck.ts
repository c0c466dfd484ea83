import { Breadcrumbs } from '../core/breadcrumbs.js';
import type { Connection } from '../core/connection.js';
import { type Consent, ConsentedStore, isConsent } from '../core/consented-store.js';
import { DecisionClient, type Knowledge, type Subject } from '../core/decision-client.js';
import type { DecisionChange, FlagDecision } from '../core/decisions.js';
import { guardOf } from '../core/failing.js';
import { type Json, typed } from '../core/json.js';
import { LiveUpdates } from '../core/live-updates.js';
import type { Operation, Properties } from '../core/operations.js';
import { inWords, plainJson, plainMembers } from '../core/plain-json.js';
import type { Platform } from '../core/platform.js';
import { Session, START } from '../core/session.js';
import type { ShowOptions } from '../core/surveys/survey-bundle.js';
import { Surveys } from '../core/surveys/surveys.js';
import type { ConfigFallback, ConfigKey, ConfigValue, FlagFallback, FlagKey, FlagValue } from '../core/typed-keys.js';
import { browserPlatform, IS_PAGE, madeInAdvance } from './browser-platform.js';
import { browserStore, type TabStore, type Written } from './browser-store.js';
import type { QuarterdeckOptions } from './options.js';
import { Outboxes } from './outboxes.js';
import { type CrashDetails, PageCrashes } from './page-crash.js';
import { watchPage } from './page-crumbs.js';
import { listenToErrors } from './page-errors.js';
import { listenToPage } from './page-events.js';
import { TabLead } from './tab-lead.js';
import { SAID, type TabMessage, Tabs } from './tabs.js';

/** Flags, config, events, crashes and surveys of one project in a browser. No method of it throws. */
export class Quarterdeck {
  /** Resolves when the first answer of the server is there, or is not available for now. */
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
    // Settings that are missing at run time must not take the page along.
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
    this.decisions.onChange(() => this.surveys.look());
    this.ready = this.start();
  }

  /** Value of a flag; the fallback when there is none, or none of the fallback's type. */
  flag<K extends FlagKey, T extends FlagFallback<K>>(key: K, fallback: T): FlagValue<K, T> {
    return typed(this.decided(this.decisions.decisions.flags, key)?.value, fallback) as FlagValue<K, T>;
  }

  /** Value, variant and reason of a flag; null when it is not known. */
  flagDetails(key: string): FlagDecision | null {
    return this.decided(this.decisions.decisions.flags, key);
  }

  /** Value of a config item; the fallback when there is none, or none of the fallback's type. */
  config<K extends ConfigKey, T extends ConfigFallback<K>>(key: K, fallback: T): ConfigValue<K, T> {
    return typed(this.decided(this.decisions.decisions.config, key)?.value, fallback) as ConfigValue<K, T>;
  }

  /** Calls back with the keys whenever values have changed; the returned function ends that. */
  onChange(listener: (change: DecisionChange) => void): () => void {
    return this.decisions.onChange((change) => this.safely(() => listener(change)));
  }

  /** Something happened. */
  track(event: string, properties: Properties = {}): void {
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

  /** Says who the person is, after they signed in; what they did before is joined to them. Resolves when flags and config are theirs. */
  identify(distinctId: string, properties?: Properties): Promise<void> {
    return this.safely(() => {
      const plain = plainMembers(properties);
      this.join(distinctId);
      if (Object.keys(plain).length > 0) this.setProperties(plain);
      this.decisions.ofSubject(this.subject());
      // Rules may ask for what was just said.
      return this.flush().then(() => this.askAnew());
    }, this.ready);
  }

  /** Merges into what is known about the person; null removes a property. */
  setProperties(properties: Properties): void {
    this.safely(() => {
      const plain = plainMembers(properties);
      this.session.setProperties(plain);
      this.add({ type: 'people', payload: { distinct_id: this.session.id, properties: plain } });
      this.surveys.look();
    });
  }

  /** Replaces what rules read as `context.<key>`. Resolves when flags and config are by it. */
  setContext(context: Readonly<Record<string, Json>>): Promise<void> {
    return this.safely(() => {
      this.context = plainMembers(context);
      return this.askAnew();
    }, this.ready);
  }

  /** The person signed out: whoever comes next is somebody else. Resolves when flags and config are theirs. */
  reset(): Promise<void> {
    return this.safely(() => {
      this.session.reset();
      this.surveys.meet();
      this.tellSession();
      return this.askAnew();
    }, this.ready);
  }

  /** The person entered a screen, for surveys that ask there. */
  screen(name: string): void {
    this.safely(() => this.surveys.enter(name));
  }

  /** Reports an error that the application has caught. */
  captureError(error: unknown, details?: CrashDetails): void {
    this.safely(() => this.report(error, Object(plainJson(details))));
  }

  /** Leaves a trace that goes along with the next crash report. */
  breadcrumb(category: string, message: string, data?: Json): void {
    this.crumbs.leave(category, message, data);
  }

  /** Shows a survey by its id or slug; false when there is none to show. */
  async showSurvey(survey: string, options?: ShowOptions): Promise<boolean> {
    return IS_PAGE && this.surveys.show(survey, true, options);
  }

  closeSurvey(): void {
    this.surveys.close();
  }

  /** No survey shows by itself until {@link resumeSurveys}: while a person pays, for example. */
  pauseSurveys(): void {
    this.surveys.pause();
  }

  resumeSurveys(): void {
    this.safely(() => this.surveys.resume());
  }

  /** What the person chose; see docs/sdk.md, Consent. */
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

  /** The id by which the server knows the person. */
  get distinctId(): string {
    return this.session.id;
  }

  /** Whether the values are the server's word for this person, those of an earlier visit or the page, those for who was here before, or there are none. */
  get knowledge(): Knowledge {
    return this.decisions.knowledge;
  }

  /** Whether changes come by a stream to this tab; false in tabs that hear from another one. */
  get isStreaming(): boolean {
    return this.live.isStreaming;
  }

  /** Sends what waits; resolves with how much still waits, because the server could not be reached, for example. */
  flush(): Promise<number> {
    return this.outboxes.flush();
  }

  /** Sends what waits and ends all that the library does on the page. */
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

  /** Asks for who and what is known now, once for all that is said in one go. */
  private askAnew(): Promise<void> {
    this.decisions.ofSubject(this.subject());
    this.asking ??= Promise.resolve().then(() => {
      this.asking = null;
      return IS_PAGE ? this.live.refresh() : undefined;
    });
    return this.asking;
  }

  /** This tab or another was told what the person agrees to, or who they are; of a choice both the device and the other may tell. */
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

  /** A page that is only made in advance asks for its values, and begins with all else when somebody sees it. */
  private async begin(): Promise<void> {
    const { signal } = this.ending;
    if (madeInAdvance()) {
      await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, this.ending));
      void this.flush();
    }
    this.safely(() => {
      this.tellSession();
      this.work();
      listenToPage(signal, {
        pagehide: () => this.rest(),
        pageshow: ({ persisted }) => {
          if (!persisted) return;
          // Nobody told it what happened meanwhile.
          void this.live.refresh();
          this.work();
          this.heed(this.consent);
        },
        storage: ({ key, newValue: value }) =>
          key?.startsWith(this.prefix) && this.heard({ key, value, isOnDevice: value !== null }),
        online: () => {
          void this.live.refresh();
          void this.surveys.refresh();
        },
      });
      document.addEventListener('visibilitychange', () => this.seen(!document.hidden), this.ending);
      if (this.options.captureErrors ?? true) {
        listenToErrors(signal, this.prefix, (error) => this.safely(() => this.report(error, { level: 'fatal' })));
        watchPage(signal, (category, message) => this.breadcrumb(category, message));
      }
    });
  }

  /** Begins, or goes on after the page came back from the browser's cache of pages. */
  private work(): void {
    this.live.stop('following');
    this.tabs.join((message) => this.safely(() => this.hear(message)));
    this.outboxes.work();
    this.lead.begin();
  }

  /** Another tab says something; one with a later release of the library may say more than this one knows. */
  private hear(message: TabMessage): void {
    if (message?.is === 'surveys') void this.surveys.refresh(true);
    if (message?.is === 'written') this.heard(message.written);
    if (message?.is === 'answer') this.decisions.take(message.answer);
    if (message?.is === 'notice' && message.subject !== this.decisions.subject) void this.live.refresh(message.notice);
  }

  /** Leaves the page in order: nothing that a cached page may not hold stays open. */
  private rest(): void {
    this.outboxes.flushLast();
    this.lead.leave();
  }

  private seen(isSeen: boolean): void {
    this.lead.seen(isSeen);
    if (isSeen) void this.surveys.refresh();
    // On phones a page that goes away is told nothing else.
    else this.outboxes.flushLast();
  }

  private report(error: unknown, details: CrashDetails): void {
    if (!IS_PAGE || this.consent === 'denied') return;
    const report = this.pageCrashes.reportOf(error, details, this.decisions.decisions);
    if (report) this.outboxes.crashes.add(report);
  }
}

/** Begins with one project; options that cannot be used are told to the developer, and fallbacks are what is shown then. */
export const createQuarterdeck = (options: QuarterdeckOptions): Quarterdeck => new Quarterdeck(options);
