/** How bad a crash event may be, the worst first. */
export const CRASH_LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const;
