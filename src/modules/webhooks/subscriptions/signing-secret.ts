import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { DAY_MS } from '../../../kernel/values/durations.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** How long the previous secret still signs after a rotation, in milliseconds (docs/events.md). */
export const ROTATION_OVERLAP_MS = DAY_MS;

/** A new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks, "Signature scheme": 24 to 64 bytes). */
export const newSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/**
 * The HMAC key inside a `whsec_…` secret, as a key object: passing the bytes to every signature costs five times as much.
 * @throws RangeError if the text isn't such a secret or holds fewer than 24 or more than 64 bytes.
 */
export function signingKey(secret: string): KeyObject {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  const key = Buffer.from(encoded, 'base64');
  if (key.length < 24 || key.length > 64 || key.toString('base64') !== encoded)
    throw new RangeError('a signing secret must be whsec_ followed by 24 to 64 bytes in base64');
  return createSecretKey(key);
}
