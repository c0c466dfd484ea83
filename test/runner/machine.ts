import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tally } from './tally.js';

/** Starting Chromium to ask for its version takes a tenth of a second. */
const looked = new Map<string, boolean>();

/**
 * Whether a program that not every machine has (`redis-server`) is on the PATH. What needs it may only be declared where this is
 * true, beside tests that run without it. The run says in one line what was missing, and fails where TEST_REQUIRE_ALL=true.
 */
export function machineHas(program: string): boolean {
  return firstOnMachine(program) !== undefined;
}

/** The first that is on the PATH of programs that serve alike; where none is, the last counts as missing. */
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
 * Whether this user may mount a disk of its own, as hardly anybody but root may. What needs it may only be declared where this is true;
 * the run says in one line what was left out.
 */
export function mayMountDisks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  const isAllowed = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' }).status === 0;
  if (isAllowed) spawnSync('umount', [folder], { stdio: 'ignore' });
  else tally.missingRights.add('mount a disk');
  rmdirSync(folder);
  return isAllowed;
}
