import { Subject } from '../../src/targeting/subject.js';
import type { WrittenSubject } from './operator-examples.js';

/** The evaluator's view of a subject as `docs/vectors` writes it. */
export function readSubject(written: WrittenSubject): Subject {
  return new Subject({
    distinctId: written.distinct_id,
    appVersion: written.app_version,
    osVersion: written.os_version,
    platform: written.platform,
    locale: written.locale,
    cohorts: written.cohorts,
    properties: new Map(Object.entries(written.properties ?? {})),
    context: new Map(Object.entries(written.context ?? {})),
    now: Date.parse(written.now ?? '2026-11-22T12:00:00.000Z'),
  });
}
