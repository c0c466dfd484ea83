import type { Breadcrumbs } from '../core/breadcrumbs.js';
import { type CrashReport, thrown } from '../core/crash-reports.js';
import type { Decisions } from '../core/decisions.js';
import type { Data } from '../core/json.js';
import type { Platform } from '../core/platform.js';
import { scriptImages } from '../core/script-images.js';
import type { Session } from '../core/session.js';
import { MOST_CRASHES_A_MINUTE } from './limits.js';
import type { QuarterdeckOptions } from './options.js';

/** Data sent with an error. */
export interface CrashDetails {
  readonly level?: CrashReport['level'] | undefined;
  readonly tags?: Data | undefined;
  readonly extra?: Data | undefined;
}

/** Builds error reports with everything known about the page, up to the limit per page. */
export class PageCrashes {
  private recent: number[] = [];

  constructor(
    private readonly platform: Platform,
    private readonly options: QuarterdeckOptions,
    private readonly session: Session,
    private readonly crumbs: Breadcrumbs,
  ) {}

  /** The report of an error; null over the limit. */
  reportOf(
    error: unknown,
    { level = 'error', tags, extra }: CrashDetails,
    { flags, sampleRate }: Decisions,
  ): CrashReport | null {
    const { platform, options, session } = this;
    const now = platform.now();
    this.recent = this.recent.filter((at) => Math.abs(now - at) < 60_000);
    if (this.recent.length >= MOST_CRASHES_A_MINUTE || platform.random() >= sampleRate) return null;
    this.recent.push(now);
    const inForce = Object.fromEntries(Object.entries(flags).map(([key, { value }]) => [key, value]));
    return {
      event_id: platform.uuid(),
      timestamp: new Date(now).toISOString(),
      level,
      platform: 'javascript',
      release: options.release ?? null,
      distinct_id: session.id,
      session: options.sessions ? session.present.told : null,
      ...thrown(error),
      debug_images: scriptImages(),
      breadcrumbs: this.crumbs.all,
      tags: { ...tags },
      extra: { ...extra, flags: inForce, url: location.origin + location.pathname },
    };
  }
}
