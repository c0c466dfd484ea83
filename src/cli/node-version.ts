import { UsageError } from './settings/settings.js';

/** Fails with a clear message when Node is too old: npm only warns, and the first newer API would crash. */
export function requireNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 2))
    throw new UsageError(`quarterdeck needs Node 22.2 or newer. You have ${version}.`);
}
