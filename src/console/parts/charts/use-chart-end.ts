import { useEffect, useState } from 'react';
import { useIsCutOff } from '../../data/line.js';

/** Browsers may be a little early. */
const TIMER_SLACK_MS = 100;

/** Where the running hour, or another step of UTC, ends: it goes on with the clock, but not while the server cannot be asked. */
export function useChartEnd(stepMs: number): number {
  const endOf = (now: number): number => (Math.floor(now / stepMs) + 1) * stepMs;
  const [end, setEnd] = useState(() => endOf(Date.now()));
  const isCutOff = useIsCutOff();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next end is waited for when this one is reached
  useEffect(() => {
    if (isCutOff) return undefined;
    const look = () => setEnd(endOf(Date.now()));
    look();
    const timer = setTimeout(look, end - Date.now() + TIMER_SLACK_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [end, isCutOff, stepMs]);
  return end;
}
