import type { Consent } from '../core/consented-store.js';
import type { Bootstrap } from '../core/decisions.js';
import type { Data } from '../core/json.js';
import type { SurveyView } from '../core/surveys/survey-bundle.js';
import type { GivenWords } from '../widget/words.js';

/** Options of the browser library. Only `url` and `key` are required. */
export interface QuarterdeckOptions {
  /** URL of your server, such as `https://quarterdeck.example.com`. */
  readonly url: string;
  /**
   * Project key, `sk_live_…` or `sk_test_…`, with the scopes `decide`, `ingest` and `survey`. It is public, so do not
   * give it `halt`.
   */
  readonly key: string;
  /** The person's distinct id. Defaults to an id for the device. */
  readonly distinctId?: string | undefined;
  /** Your application's version: `app_version` in rules and `release` in crash reports. */
  readonly release?: string | undefined;
  /** The person's language. Defaults to the browser's. */
  readonly locale?: string | undefined;
  /** Values that rules read as `context.<key>`. */
  readonly context?: Data | undefined;
  /** Values the page was rendered with on the server, used until the first answer. */
  readonly bootstrap?: Bootstrap | undefined;
  /** Freezes flags and config until the next start. A halt still applies at once. */
  readonly hold?: boolean | undefined;
  /** Set to false to poll and never open a stream. */
  readonly stream?: boolean | undefined;
  /** Seconds between polls while there is no stream. Default 30, minimum 5. */
  readonly pollSeconds?: number | undefined;
  /** Consent before the person has chosen. Default `granted`. A choice made with `setConsent` is remembered. */
  readonly consent?: Consent | undefined;
  /** Set to false to stop reporting uncaught errors and unhandled rejections. */
  readonly captureErrors?: boolean | undefined;
  /** Set to true to send a `session_start` event for each session, which gives you the crash-free session rate. */
  readonly sessions?: boolean | undefined;
  readonly surveys?:
    | {
        /** Set to false to stop surveys from showing by themselves. */
        readonly auto?: boolean | undefined;
        /** Minimum seconds between two surveys that show by themselves. Default 86,400. */
        readonly pauseSeconds?: number | undefined;
        /** Texts that replace the widget's own, also for a language it does not support. */
        readonly words?: GivenWords | undefined;
        /** Shows surveys instead of the library's widget. */
        readonly view?: SurveyView | undefined;
      }
    | undefined;
}
