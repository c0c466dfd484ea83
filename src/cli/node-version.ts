import { UsageError } from './settings/settings.js';

/** Fails with a sentence where Node is older than the command needs: npm only warns of that, and the first new function would be missing. */
export function requireNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 2))
    throw new UsageError(`quarterdeck needs Node 22.2 or newer; this is ${version}.`);
}
