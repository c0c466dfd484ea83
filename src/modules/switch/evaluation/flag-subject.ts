import { Subject, type SubjectFacts } from '../../../targeting/subject.js';
import { fastBits } from './fast-bits.js';

/** The one that flags are decided for, with the platform's hash. */
export function flagSubject(facts: SubjectFacts): Subject {
  return new Subject({ ...facts, hash: fastBits });
}
