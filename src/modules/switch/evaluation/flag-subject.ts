import { Subject, type SubjectFacts } from '../../../targeting/subject.js';
import { fastBucket } from './fast-bucket.js';

/** The one that flags are decided for, with the platform's hash. */
export const flagSubject = (facts: SubjectFacts): Subject => new Subject({ ...facts, bucket: fastBucket });
