import { Subject, type SubjectFacts } from '../../../targeting/subject.js';
import { fastBucket } from './fast-bucket.js';

/** The subject of flag decisions, with the platform's hash. */
export function flagSubject(facts: SubjectFacts): Subject {
  return new Subject({ ...facts, bucket: fastBucket });
}
