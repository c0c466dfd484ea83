/** Severity levels of crash events, most severe first. */
export const CRASH_LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const;
