import { createStore } from '../data/store.js';

const KEY = 'quarterdeck.exactTimes';

/** Whether this browser shows exact times in UTC instead of relative ones. */
export const exactTimes = createStore(localStorage.getItem(KEY) === 'yes');

export function showExactTimes(exact: boolean): void {
  localStorage.setItem(KEY, exact ? 'yes' : 'no');
  exactTimes.set(exact);
}

const STEPS: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [86_400 * 30, 'day'],
  [86_400 * 365, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const TICK_MS = 10_000;
/** One clock for every time on the page, stopped while the page is hidden. */
const clock = createStore(0);
let ticking: ReturnType<typeof setInterval> | undefined;
function runClock(): void {
  clearInterval(ticking);
  if (document.visibilityState !== 'visible') return;
  const tick = () => clock.set(Date.now());
  tick();
  ticking = setInterval(tick, TICK_MS);
}
document.addEventListener('visibilitychange', runClock);
runClock();

function ago(instant: string): string {
  const seconds = (Date.parse(instant) - Date.now()) / 1_000;
  let unit = 1;
  for (const [limit, name] of STEPS) {
    if (Math.abs(seconds) < limit) return relative.format(Math.round(seconds / unit), name);
    unit = limit;
  }
  return instant;
}

/** Such as `2026-11-23 06:59:12 UTC`. Avoids calendar formatting, which is too slow for every row of a table. */
export const inUtc = (instant: string): string => {
  const iso = new Date(instant).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}\u00a0UTC`;
};

/** A relative or exact time in UTC, as the viewer has chosen, with the other on hover. */
export function When({ at }: { at: string | null | undefined }) {
  const isExact = exactTimes.use();
  const words = clock.useSelected(() => (at ? ago(at) : ''));
  if (!at) return <span>never</span>;
  const [shown, other] = isExact ? [inUtc(at), words] : [words, inUtc(at)];
  return (
    <time dateTime={at} title={other} className={isExact ? 'exact' : undefined}>
      {shown}
    </time>
  );
}
