import { Subject, type SubjectFacts } from '../../../targeting/subject.js';
import { fastBucket } from './fast-bucket.js';

/** The subject of flag decisions, with the platform's hash. */
export const flagSubject = (facts: SubjectFacts): Subject => new Subject({ ...facts, bucket: fastBucket });
