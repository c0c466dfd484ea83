import { useEffect, useState } from 'react';
import { useIsCutOff } from '../../data/line.js';

/** Browser timers can fire slightly early. */
const TIMER_SLACK_MS = 100;

/** The end of the current hour, or another UTC interval. It advances with the clock, but not while the server is unreachable. */
export function useChartEnd(stepMs: number): number {
  const endOf = (now: number): number => (Math.floor(now / stepMs) + 1) * stepMs;
  const [end, setEnd] = useState(() => endOf(Date.now()));
  const isCutOff = useIsCutOff();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next timer starts when this one fires
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
