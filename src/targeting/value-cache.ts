import { SubjectValue } from './subject-value.js';

/** Maximum cached values per attribute, and maximum length of cached texts. */
const MOST_KEPT = 100;
const LONGEST_KEPT = 64;
/** After this many other values, the cache may be outdated. */
const MOST_MISSED = 10_000;

/**
 * A cache of an attribute's values across subjects. Common values, such as versions and languages, are parsed once for
 * all subjects, and compared once per condition.
 */
export class ValueCache {
  private readonly kept = new Map<string | number, SubjectValue>();
  private missed = 0;

  of(value: unknown): SubjectValue {
    const mayBeKept = typeof value === 'string' ? value.length <= LONGEST_KEPT : typeof value === 'number';
    if (!mayBeKept) return new SubjectValue(value);
    const known = this.kept.get(value as string | number);
    return known ?? this.add(value as string | number);
  }

  private add(value: string | number): SubjectValue {
    if (this.kept.size < MOST_KEPT) {
      const seen = new SubjectValue(value, []);
      this.kept.set(value, seen);
      return seen;
    }
    this.missed += 1;
    if (this.missed === MOST_MISSED) {
      this.kept.clear();
      this.missed = 0;
    }
    return new SubjectValue(value);
  }
}
