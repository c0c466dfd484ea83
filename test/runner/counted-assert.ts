/** Replaces `uvu/assert` in test files: the same assertions, but counted. */
import * as real from 'uvu/assert';
import { tally } from './tally.js';

type Check = (...args: never[]) => unknown;

const wrapped = new Map<Check, Check>();

/** The check and its variants (`not.equal`, `is.not`), which refer to each other in uvu. */
function counted<F extends Check>(check: F): F {
  const known = wrapped.get(check);
  if (known) return known as F;
  const run = (...args: never[]): unknown => {
    tally.assertions += 1;
    return check(...args);
  };
  wrapped.set(check, run);
  for (const [name, variant] of Object.entries(check)) Object.assign(run, { [name]: counted(variant as Check) });
  return run as F;
}

export const Assertion = real.Assertion;
export const ok = counted(real.ok);
export const is = counted(real.is);
export const equal = counted(real.equal);
export const type = counted(real.type);
export const instance = counted(real.instance);
export const snapshot = counted(real.snapshot);
export const fixture = counted(real.fixture);
export const match = counted(real.match);
export const throws = counted(real.throws);
export const not = counted(real.not);
export const unreachable = counted(real.unreachable);
