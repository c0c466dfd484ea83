import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

export type KeyPrefix = 'sk_live_' | 'sk_test_' | 'sk_deploy_';

/** Prefix, 32 random characters of 62 (190 bits), and a CRC-32 of both in base 62, so that a typo needs no lookup. */
export function newSecret(prefix: KeyPrefix): string {
  let text: string = prefix;
  for (let index = 0; index < RANDOM_LENGTH; index++) text += ALPHABET[randomInt(ALPHABET.length)];
  return text + checksum(text);
}

/** Whether a text has the format of a secret with this prefix and a valid checksum. */
export function isWellFormedSecret(text: string, prefix: KeyPrefix): boolean {
  const length = prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
  return (
    text.length === length &&
    text.startsWith(prefix) &&
    checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
  );
}

/** Stored instead of the secret: its SHA-256 in hex. */
export const secretHash = (secret: string): string => hash('sha256', secret);

/** Shown instead of the secret: prefix, four characters, the last four. */
export function secretHint(secret: string): string {
  const prefix = secret.slice(0, secret.indexOf('_', 3) + 1);
  return `${secret.slice(0, prefix.length + 4)}…${secret.slice(-4)}`;
}

function checksum(text: string): string {
  let value = crc32(text);
  let result = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    result = ALPHABET[value % ALPHABET.length] + result;
    value = Math.floor(value / ALPHABET.length);
  }
  return result;
}
