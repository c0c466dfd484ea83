import { Attribute } from '../constants.js';
import type { AttributeSpec } from './attribute-spec.js';
import { skipStepOf, type UnitSizes } from './skip-steps.js';

/** One attribute that names need or, without `spec`, a step over others. */
export interface NameStep {
  readonly spec: AttributeSpec | null;
  readonly step: number;
}

const OF_INTEREST: ReadonlySet<number> = new Set([
  Attribute.name,
  Attribute.linkageName,
  Attribute.mipsLinkageName,
  Attribute.specification,
  Attribute.abstractOrigin,
  Attribute.signature,
]);

/** Relevant attributes one by one, the others merged where their sizes allow; ends at the last relevant one. */
export function nameStepsOf(specs: readonly AttributeSpec[], sizes: UnitSizes): NameStep[] {
  const steps: NameStep[] = [];
  let count = 0;
  for (const spec of specs) {
    const last = steps[steps.length - 1];
    if (OF_INTEREST.has(spec.attribute)) {
      steps.push({ spec, step: 0 });
      count = steps.length;
      continue;
    }
    const step = skipStepOf(spec.form, sizes);
    if (last && last.spec === null && last.step >= 0 && step >= 0) {
      steps[steps.length - 1] = { spec: null, step: last.step + step };
    } else steps.push({ spec: null, step });
  }
  return steps.slice(0, count);
}
