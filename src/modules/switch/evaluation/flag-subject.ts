import { hash } from 'node:crypto';
import { bucketOf } from '../../../targeting/rules/bucket.js';
import type { LeadingBits } from '../../../targeting/rules/leading-bits.js';
import { type BucketLookup, Subject, type SubjectFacts } from '../../../targeting/subject.js';

/** {@link LeadingBits} with the platform's hash: twice as fast, and a handshake needs them for every flag. */
export const fastBits: LeadingBits = (text) => {
  // One string of bytes costs a quarter of a Buffer from `hash`.
  const digest = hash('sha256', text, 'binary');
  let bits = 0;
  for (let index = 0; index < 4; index += 1) bits = bits * 256 + digest.charCodeAt(index);
  return bits;
};

/** The bucket of an id, by {@link fastBits}. */
const fastBucket: BucketLookup = (salt, id) => bucketOf(fastBits, salt, id);

/** The subject of flag decisions, with the platform's hash. */
export const flagSubject = (facts: SubjectFacts): Subject => new Subject({ ...facts, bucket: fastBucket });
