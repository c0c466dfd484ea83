import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { accessFailure } from '../access.errors.js';

/** OWASP's password storage cheat sheet: scrypt with N = 2^16, r = 8, p = 2 is one of its equivalent minimums. */
const COST = { N: 2 ** 16, r: 8, p: 2 };
const KEY_BYTES = 32;
const MEMORY = 256 * 1024 * 1024;

const derive = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...options, maxmem: MEMORY }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );

/** Refuses what is too short to resist guessing or too long to be a password. Fails with `weak_password`. */
export function checkPassword(password: string): void {
  if (password.length < 12 || password.length > 200) throw accessFailure('weak_password');
}

/** `scrypt$N$r$p$salt$key`, so that a later cost applies to new passwords only. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether the password belongs to the hash; takes as long for an unknown user, whose hash is null. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [, n, r, p, salt, key] = (hash ?? NOBODY).split('$');
  const expected = Buffer.from(key ?? '', 'base64url');
  const actual = await derive(password, Buffer.from(salt ?? '', 'base64url'), {
    N: Number(n),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(actual, expected) && hash !== null;
}

const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
