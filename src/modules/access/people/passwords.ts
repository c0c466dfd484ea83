import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { accessFailure } from '../access.errors.js';

/**
 * OWASP's password storage cheat sheet lists scrypt with N = 2^15, r = 8, p = 3 among its equivalent minimums: 32 MiB. One more round takes
 * as long as hashes of earlier versions, of N = 2^16 and p = 2, so that timing doesn't reveal who has one.
 */
const COST = { N: 2 ** 15, r: 8, p: 4 };
const KEY_BYTES = 32;
const MEMORY = 256 * 1024 * 1024;

const derive = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...options, maxmem: MEMORY }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );

/** Rejects passwords that are too short to resist guessing, or too long. Fails with `weak_password` for the field of the input. */
export function checkPassword(password: string, field: 'password' | 'newPassword'): void {
  if (password.length < 12 || password.length > 200) throw accessFailure('weak_password', { field });
}

/**
 * `scrypt$N$r$p$salt$key`, so that a later cost applies only to new passwords.
 *
 * @param salt a UUID: its 16 bytes
 */
export async function hashPassword(password: string, salt: string): Promise<string> {
  const bytes = Buffer.from(salt.replaceAll('-', ''), 'hex');
  const key = await derive(password, bytes, COST);
  return ['scrypt', COST.N, COST.r, COST.p, bytes.toString('base64url'), key.toString('base64url')].join('$');
}

/**
 * Which of the hashes the password belongs to. It is hashed once for all with the same cost and salt, as one person's are, and once if
 * there are none, so that timing doesn't reveal who has an account.
 */
export async function matchPassword(password: string, hashes: readonly string[]): Promise<boolean[]> {
  const keys = new Map<string, Buffer>();
  for (const hash of hashes.length > 0 ? hashes : [NOBODY]) {
    const recipe = recipeOf(hash);
    if (!keys.has(recipe)) keys.set(recipe, await cook(password, recipe));
  }
  return hashes.map((hash) => {
    const expected = Buffer.from(hash.slice(recipeOf(hash).length + 1), 'base64url');
    return timingSafeEqual(expected, keys.get(recipeOf(hash)) as Buffer);
  });
}

/** A hash without its key. */
const recipeOf = (hash: string): string => hash.slice(0, hash.lastIndexOf('$'));

function cook(password: string, recipe: string): Promise<Buffer> {
  const [, n, r, p, salt] = recipe.split('$');
  return derive(password, Buffer.from(salt ?? '', 'base64url'), { N: Number(n), r: Number(r), p: Number(p) });
}

const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
