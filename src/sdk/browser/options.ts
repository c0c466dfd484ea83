import type { Consent } from '../core/consented-store.js';
import type { Bootstrap } from '../core/decisions.js';
import type { Json } from '../core/json.js';
import type { SurveyView } from '../core/surveys/survey-bundle.js';
import type { GivenWords } from '../widget/words.js';

/** What an application says when it begins; all but `url` and `key` can be left out. */
export interface QuarterdeckOptions {
  /** Address of the server, as `https://quarterdeck.example.com`. */
  readonly url: string;
  /** Project key, `sk_live_…` or `sk_test_…`, with the scopes `decide`, `ingest` and `survey`. It is public: give it no `halt`. */
  readonly key: string;
  /** Who the person is; an id of the device unless given. */
  readonly distinctId?: string;
  /** Version of the application: `app_version` of rules and `release` of crash reports. */
  readonly release?: string;
  /** Language of the person; the browser's unless given. */
  readonly locale?: string;
  /** What rules read as `context.<key>`. */
  readonly context?: Readonly<Record<string, Json>>;
  /** Values that the page was made with on the server, shown first. */
  readonly bootstrap?: Bootstrap;
  /** Keeps flags and config as they are until the next start; a halted flag is taken over at once all the same. */
  readonly hold?: boolean;
  /** False polls without ever opening a stream. */
  readonly stream?: boolean;
  /** Seconds between polls while there is no stream: 30, at least 5. */
  readonly pollSeconds?: number;
  /** What the person agreed to before they were asked: `granted` unless given. A choice made by `setConsent` is remembered. */
  readonly consent?: Consent;
  /** False leaves errors and unhandled rejections of the page alone. */
  readonly captureErrors?: boolean;
  /** True reports each session to the server by an event `session_start`, for the share of sessions without a crash. */
  readonly sessions?: boolean;
  readonly surveys?: {
    /** False shows none by itself. */
    readonly auto?: boolean;
    /** Least seconds between two surveys that show by themselves: 86,400. */
    readonly pauseSeconds?: number;
    /** What the widget says in place of its own words, also in a language that it does not know. */
    readonly words?: GivenWords;
    /** Shows surveys in place of the library's own widget. */
    readonly view?: SurveyView;
  };
}
