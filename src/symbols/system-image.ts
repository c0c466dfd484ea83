/** Where systems keep their own libraries; what an app brings along lies elsewhere. */
const APPLE: readonly RegExp[] = [
  // With the caches and simulators of its systems.
  /^(?:\/private\/preboot\/|\/System\/|\/usr\/lib\/|\/Library\/(?:Apple|Developer)\/)/,
  /^(?:(?!\/(?:CoreSimulator|RuntimeRoot)\/)[\s\S])*\/(?:CoreSimulator|RuntimeRoot)\/(?:.*\/)?(?:System|usr\/lib)\//,
];
/** Also what the kernel maps in. */
const LINUX: readonly RegExp[] = [/^\/(?:usr\/)?lib(?:32|64|x32)?\//, /^\[?(?:linux-vdso|linux-gate|vdso|vectors)/];
/** Its partitions, and the modules that are updated by themselves. */
const ANDROID: readonly RegExp[] = [/^\/(?:system|system_ext|apex|vendor|product|odm)\//, ...LINUX];
const WINDOWS: readonly RegExp[] = [/^[a-z]:[/\\]windows[/\\]/i];

const BY_PLATFORM: Readonly<Record<string, readonly RegExp[]>> = {
  ios: APPLE,
  macos: APPLE,
  tvos: APPLE,
  watchos: APPLE,
  visionos: APPLE,
  cocoa: APPLE,
  android: ANDROID,
  linux: LINUX,
  windows: WINDOWS,
};
const ALL = [...APPLE, ...ANDROID, ...WINDOWS];

/** Whether a library is of the system, by its path on the device; platforms that say little (`native`, `flutter`) may be any of them. */
export const isSystemImage = (path: string, platform: string): boolean =>
  ((Object.hasOwn(BY_PLATFORM, platform) && BY_PLATFORM[platform]) || ALL).some((expression) => expression.test(path));
