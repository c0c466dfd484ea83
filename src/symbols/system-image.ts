/** Where operating systems keep their own libraries; an app's bundled libraries are elsewhere. */
const APPLE: readonly RegExp[] = [
  // Including its systems' caches and simulators.
  /^(?:\/private\/preboot\/|\/System\/|\/usr\/lib\/|\/Library\/(?:Apple|Developer)\/)/,
  /^(?:(?!\/(?:CoreSimulator|RuntimeRoot)\/)[\s\S])*\/(?:CoreSimulator|RuntimeRoot)\/(?:.*\/)?(?:System|usr\/lib)\//,
];
/** Including what the kernel maps. */
const LINUX: readonly RegExp[] = [/^\/(?:usr\/)?lib(?:32|64|x32)?\//, /^\[?(?:linux-vdso|linux-gate|vdso|vectors)/];
/** Its partitions, and separately updated modules. */
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

/**
 * Whether a library belongs to the operating system, by its path on the device; for unspecific platforms (`native`,
 * `flutter`) any system matches.
 */
export const isSystemImage = (path: string, platform: string): boolean =>
  ((Object.hasOwn(BY_PLATFORM, platform) && BY_PLATFORM[platform]) || ALL).some((expression) => expression.test(path));
