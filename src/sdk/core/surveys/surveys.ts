import { ask, type Connection, jsonOf } from '../connection.js';
import { readKept } from '../key-value-store.js';
import type { KeptPerson, Session } from '../session.js';
import { hashed } from './sampling.js';
import type { KeptSeen, ShowOptions, SurveySummary, SurveyView } from './survey-bundle.js';
import type { isDue } from './survey-choice.js';

/** The list may be as old as its cache rule says. */
const LIST_AGE_MS = 300_000;

export interface SurveyOptions {
  /** Shows surveys by themselves when their rules hold; else only `showSurvey` does. */
  readonly auto: boolean;
  /** Least time between two surveys that show by themselves. */
  readonly pauseSeconds: number;
  readonly locale: string;
  readonly release: string | null;
  /** Whether the person agreed that anything of them is sent. */
  readonly isOpen: () => boolean;
  /** Loads what shows a survey. */
  readonly view: () => Promise<SurveyView>;
}

interface KeptList {
  readonly etag: string;
  readonly at: number;
  readonly surveys: readonly SurveySummary[];
}

/** The surveys of a project: decides which shows when, and brings the answers. */
export class Surveys {
  private list: KeptList | null;
  screen: string | null = null;
  private isPaused = false;
  /** Whether what is on its way shows by itself. */
  isComing = false;
  private met: KeptPerson;
  /** Ends what is shown or about to be; aborted when there is nothing. */
  private closing = new AbortController();
  private stopDelay?: (() => void) | null;
  /** Loads when there are surveys to choose from. */
  private isDue?: typeof isDue | undefined;
  /** What is not to show again before the page is left or somebody else comes. */
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
    this.list = readKept<KeptList>(connection.platform.store, `${prefix}surveys`);
  }

  /** Fetches the list when it is older than five minutes, or at once, and looks what is to be shown. */
  async refresh(now = false): Promise<void> {
    const { platform } = this.connection;
    if (!this.options.auto || !this.options.isOpen()) return;
    if (now || !this.list || Math.abs(platform.now() - this.list.at) > LIST_AGE_MS) {
      const headers: Record<string, string> = this.list ? { 'if-none-match': this.list.etag } : {};
      const answer = await ask(this.connection, '/api/pulse/surveys', undefined, headers);
      const surveys = answer && (answer.status === 304 ? this.list?.surveys : await jsonOf(answer));
      if (answer && Array.isArray(surveys)) {
        this.list = { etag: answer.headers.get('etag') ?? '', at: platform.now(), surveys };
        platform.store.set(`${this.prefix}surveys`, JSON.stringify(this.list));
      }
    }
    if (this.list?.surveys.some(({ auto_show }) => auto_show))
      this.isDue ??= (await import('./survey-choice.js').catch(() => null))?.isDue;
    this.look();
  }

  /** The person is on another screen. */
  enter(screen: string): void {
    this.screen = screen;
    this.look();
  }

  /** No survey shows by itself until {@link resume}. */
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

  /** Something may have happened that a rule waits for. */
  look(): void {
    if (this.isPaused || !this.closing.signal.aborted || this.stopDelay || !this.options.auto) return;
    if (!this.options.isOpen()) return;
    const { platform } = this.connection;
    const next = this.list?.surveys.find((survey) => survey.auto_show && this.isDue?.(this, survey));
    if (!next) return;
    this.stopDelay = platform.later(next.display_delay_ms, () => {
      this.stopDelay = null;
      if (this.isDue?.(this, next)) void this.show(next.id, false);
    });
  }

  /** Shows a survey by its id or slug; false when there is none to show. `asked` lets it take the focus. */
  async show(survey: string, asked = true, given: ShowOptions = {}): Promise<boolean> {
    if (!this.closing.signal.aborted || !this.options.isOpen()) return false;
    const closing = new AbortController();
    this.closing = closing;
    this.isComing = !asked;
    given?.signal?.addEventListener?.('abort', () => closing.abort());
    // What only a survey that shows needs comes with it.
    const showing = await import('./survey-showing.js').catch(() => null);
    const isShown = await showing?.showSurvey(this, survey, { asked, given, closing });
    if (!isShown) closing.abort();
    return isShown === true;
  }

  /** Takes away what is shown. */
  close(): void {
    this.closing.abort();
  }

  /** Somebody else may be there; who was here before and is known by now is not. */
  meet(): void {
    const { met } = this;
    const { person } = this.session;
    this.met = person;
    if (person.id === met.id || (person.known && !met.known)) return;
    this.close();
    this.shownHere.clear();
  }

  /** What a person saw before they were known, by that id, is what the known one has seen. */
  join(before: string | null): void {
    if (before !== null) this.keepSeen(this.seen(before));
    this.meet();
  }

  /** What a person was shown and has answered. */
  seen(person = this.session.id): KeptSeen {
    return readKept<KeptSeen>(this.connection.platform.store, this.seenKey(person)) ?? {};
  }

  /** Keeps what the person was shown or has answered. */
  keepSeen({ shown, answered = [] }: KeptSeen): void {
    const before = this.seen();
    const seen = { shown: { ...before.shown, ...shown }, answered: [...(before.answered ?? []), ...answered] };
    this.connection.platform.store.set(this.seenKey(this.session.id), JSON.stringify(seen));
  }

  private seenKey(person: string): string {
    return `${this.prefix}seen:${hashed(person)}`;
  }
}
