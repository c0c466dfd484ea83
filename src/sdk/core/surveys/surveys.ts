import { ask, type Connection, jsonOf } from '../connection.js';
import { readKept } from '../key-value-store.js';
import { LIST_AGE_MS } from '../limits.js';
import type { KeptPerson, Session } from '../session.js';
import { hashed } from './sampling.js';
import type { KeptSeen, ShowOptions, SurveySummary, SurveyView } from './survey-bundle.js';
import type { isDue } from './survey-choice.js';

export interface SurveyOptions {
  /** Whether surveys show by themselves when their rules hold; otherwise only `showSurvey` shows them. */
  readonly auto: boolean;
  /** Minimum time between two surveys that show by themselves. */
  readonly pauseSeconds: number;
  readonly locale: string;
  readonly release: string | null;
  /** Whether the person has consented to sending data. */
  readonly isOpen: () => boolean;
  /** Loads the survey view. */
  readonly view: () => Promise<SurveyView>;
}

interface KeptList {
  readonly etag: string;
  readonly at: number;
  readonly surveys: readonly SurveySummary[];
}

/** The surveys of a project: decides which one shows when, and sends the answers. */
export class Surveys {
  private list: Partial<KeptList> | null;
  screen: string | null = null;
  private isPaused?: boolean;
  /** Whether the survey being loaded shows by itself. */
  isComing = false;
  private met: KeptPerson;
  /** Ends the survey that is shown or loading; aborted when there is none. */
  private closing = new AbortController();
  private stopDelay?: (() => void) | null;
  /** Loaded once there are surveys to choose from. */
  private isDue?: typeof isDue | undefined;
  /** Surveys not to show again until the page is left or the person changes. */
  readonly shownHere = new Set<string>();

  constructor(
    readonly connection: Connection,
    private readonly prefix: string,
    readonly session: Session,
    readonly cohorts: () => readonly string[],
    readonly options: SurveyOptions,
  ) {
    this.close();
    this.met = session.person;
    this.list = readKept<Partial<KeptList>>(connection.platform.store, `${prefix}surveys`);
  }

  /** Fetches the list, at once or when it is older than five minutes, and checks what to show. */
  async refresh(now = false): Promise<void> {
    const { platform } = this.connection;
    if (!this.options.auto || !this.options.isOpen()) return;
    const { etag, at = 0, surveys: known } = this.list ?? {};
    // Also true for a list whose time is unreadable.
    if (now || !(Math.abs(platform.now() - at) <= LIST_AGE_MS)) {
      const answer = await ask(this.connection, '/api/pulse/surveys', undefined, etag ? { 'if-none-match': etag } : {});
      const surveys = answer && (answer.status === 304 ? known : await jsonOf(answer));
      if (answer && Array.isArray(surveys)) {
        this.list = { etag: answer.headers.get('etag') ?? '', at: platform.now(), surveys };
        platform.store.set(`${this.prefix}surveys`, JSON.stringify(this.list));
      }
    }
    if (this.list?.surveys?.some(({ auto_show }) => auto_show))
      this.isDue ??= (await import('./survey-choice.js').catch(() => null))?.isDue;
    this.look();
  }

  /** Called when the person moves to another screen. */
  enter(screen: string): void {
    this.screen = screen;
    this.look();
  }

  /** Stops surveys from showing by themselves until {@link resume}. */
  pause(): void {
    this.isPaused = true;
    if (this.isComing) this.close();
    this.stopDelay?.();
    this.stopDelay = null;
  }

  resume(): void {
    this.isPaused = false;
    this.look();
  }

  /** Called when something happened that a rule may wait for. */
  look(): void {
    if (this.isPaused || !this.closing.signal.aborted || this.stopDelay || !this.options.auto) return;
    if (!this.options.isOpen()) return;
    const { platform } = this.connection;
    const next = this.list?.surveys?.find((survey) => survey.auto_show && this.isDue?.(this, survey));
    if (!next) return;
    this.stopDelay = platform.later(next.display_delay_ms, () => {
      this.stopDelay = null;
      if (this.isDue?.(this, next)) void this.show(next.id, false);
    });
  }

  /** Shows a survey by id or slug; false when there is none to show. `asked` lets it take the focus. */
  async show(survey: string, asked = true, given: ShowOptions = {}): Promise<boolean> {
    if (!this.closing.signal.aborted || !this.options.isOpen()) return false;
    const closing = new AbortController();
    this.closing = closing;
    this.isComing = !asked;
    given?.signal?.addEventListener?.('abort', () => closing.abort());
    // Code that only a shown survey needs is loaded with it.
    const showing = await import('./survey-showing.js').catch(() => null);
    const isShown = await showing?.showSurvey(this, survey, { asked, given, closing });
    if (!isShown) closing.abort();
    return isShown === true;
  }

  /** Removes the shown survey. */
  close(): void {
    this.closing.abort();
  }

  /** The person may have changed; someone who has only been identified has not. */
  meet(): void {
    const { met } = this;
    const { person } = this.session;
    this.met = person;
    if (person.id === met.id || (person.known && !met.known)) return;
    this.close();
    this.shownHere.clear();
  }

  /** Carries over what a person saw, under their earlier id, before they were identified. */
  join(before: string | null): void {
    const seen = before && this.seen(before);
    if (seen) this.keepSeen(seen);
    this.meet();
  }

  /** The surveys a person was shown and has answered. */
  seen(person = this.session.id): KeptSeen | null {
    return readKept<KeptSeen>(this.connection.platform.store, this.seenKey(person));
  }

  /** Stores the surveys the person was shown or has answered. */
  keepSeen({ shown, answered = [] }: KeptSeen): void {
    const before = this.seen();
    const seen = { shown: { ...before?.shown, ...shown }, answered: [...(before?.answered ?? []), ...answered] };
    this.connection.platform.store.set(this.seenKey(this.session.id), JSON.stringify(seen));
  }

  private seenKey(person: string): string {
    return `${this.prefix}seen:${hashed(person)}`;
  }
}
