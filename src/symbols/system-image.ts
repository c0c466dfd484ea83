/** Where systems keep their own libraries; what an app brings along lies elsewhere. */
const SYSTEM_PATHS: readonly RegExp[] = [
  // Apple, with the caches and simulators of its systems.
  /^(?:\/private\/preboot\/|\/System\/|\/usr\/lib\/|\/Library\/(?:Apple|Developer)\/)/,
  /\/(?:CoreSimulator|RuntimeRoot)\/(?:.*\/)?(?:System|usr\/lib)\//,
  // Android: its partitions, and the modules that are updated by themselves.
  /^\/(?:system|system_ext|apex|vendor|product|odm)\//,
  // Linux, and what the kernel maps in.
  /^\/(?:usr\/)?lib(?:32|64|x32)?\//,
  /^\[?(?:linux-vdso|linux-gate|vdso|vectors)/,
  // Windows.
  /^[a-z]:[/\\]windows[/\\]/i,
];

/** Whether a library is of the system, by its path on the device. */
export const isSystemImage = (path: string): boolean => SYSTEM_PATHS.some((expression) => expression.test(path));
