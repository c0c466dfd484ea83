import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tally } from './tally.js';

/** Starting Chromium just to ask for its version takes a tenth of a second. */
const looked = new Map<string, boolean>();

/**
 * Whether a program that not every machine has (`redis-server`) is on the PATH. Only declare tests that need it if this
 * is true, next to tests that run without it. The run reports in one line what was missing, and fails if
 * TEST_REQUIRE_ALL=true.
 */
export function machineHas(program: string): boolean {
  return firstOnMachine(program) !== undefined;
}

/** The first of several equivalent programs that is on the PATH; if none is, the last counts as missing. */
export function firstOnMachine(...programs: [string, ...string[]]): string | undefined {
  const found = programs.find(isOnPath);
  if (found === undefined) tally.missingPrograms.add(programs.at(-1) as string);
  return found;
}

function isOnPath(program: string): boolean {
  const found = looked.get(program) ?? spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  looked.set(program, found);
  return found;
}

/**
 * Whether this user may mount a disk, as hardly anyone but root may. Only declare tests that need it if this is true;
 * the run reports in one line what was skipped.
 */
export function mayMountDisks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  const isAllowed = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' }).status === 0;
  if (isAllowed) spawnSync('umount', [folder], { stdio: 'ignore' });
  else tally.missingRights.add('mount a disk');
  rmdirSync(folder);
  return isAllowed;
}
