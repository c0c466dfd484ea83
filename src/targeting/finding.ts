/**
 * The result of comparing an attribute with a condition's values, before `negate`. Only `yes` and `no` can be negated:
 * an attribute that is absent, of another type or too long satisfies nothing (docs/targeting.md, Types).
 */
export type Finding = 'yes' | 'no' | 'absent' | 'other type' | 'too long';
