import { type CrashReport, thrown } from '../core/crash-reports.js';
import type { Decisions } from '../core/decisions.js';
import type { Properties } from '../core/operations.js';
import type { Platform } from '../core/platform.js';
import { scriptImages } from '../core/script-images.js';
import type { Session } from '../core/session.js';
import type { QuarterdeckOptions } from './options.js';

/** What goes along with an error. */
export interface CrashDetails {
  readonly level?: CrashReport['level'];
  readonly tags?: Properties;
  readonly extra?: Properties;
}

/** The report of an error, with all that is known of the page. */
export function pageCrash(
  error: unknown,
  { level = 'error', tags, extra }: CrashDetails,
  options: QuarterdeckOptions,
  platform: Platform,
  session: Session,
  flags: Decisions['flags'],
  breadcrumbs: CrashReport['breadcrumbs'],
): CrashReport {
  const inForce = Object.fromEntries(Object.entries(flags).map(([key, { value }]) => [key, value]));
  return {
    event_id: platform.uuid(),
    timestamp: new Date(platform.now()).toISOString(),
    level,
    platform: 'javascript',
    release: options.release ?? null,
    distinct_id: session.id,
    session: options.sessions ? session.told : null,
    exception: thrown(error),
    debug_images: scriptImages(),
    tags: { ...tags },
    extra: { ...extra, flags: inForce, url: location.origin + location.pathname },
    breadcrumbs,
  };
}
