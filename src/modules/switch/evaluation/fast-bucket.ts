import { hash } from 'node:crypto';
import { bucketOf } from '../../../targeting/rules/bucket.js';
import type { LeadingBits } from '../../../targeting/rules/leading-bits.js';
import type { BucketLookup } from '../../../targeting/subject.js';

/** {@link LeadingBits} with the platform's hash: twice as fast, and a handshake needs them for every flag. */
export const fastBits: LeadingBits = (text) => {
  // One string of bytes costs a quarter of a Buffer from `hash`.
  const digest = hash('sha256', text, 'binary');
  let bits = 0;
  for (let index = 0; index < 4; index += 1) bits = bits * 256 + digest.charCodeAt(index);
  return bits;
};

/** The bucket of an id, by {@link fastBits}. */
export const fastBucket: BucketLookup = (salt, id) => bucketOf(fastBits, salt, id);
