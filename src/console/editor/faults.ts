import { createContext, useContext } from 'react';
import { fieldInWords } from '../data/failures.js';

interface Part extends Readonly<Record<string, unknown>> {
  readonly id?: unknown;
}

/** A problem that the server found in a draft, with the part it is about: positions change, as when a rule is moved. */
export interface Fault {
  part: Part;
  field: string;
  message: string;
  /** The part contains others and is a new object after each change within it, so only its own field counts. */
  isWhole: boolean;
}

/** What the server found wrong with a field of a part, until either changes. */
export type FaultAt = (part: object, field: string) => string | undefined;

export const FaultsContext = createContext<FaultAt>(() => undefined);

export const useFaultAt = (): FaultAt => useContext(FaultsContext);

/** Ties a problem to its part: `rules[1].conditions[0].values[2]` is about `values` of that condition. */
export function faultIn(draft: object, path: string, message: string): Fault {
  // A single rule has a path of its own.
  let steps = path.replace(/^rule\./, 'rules[0].').split(/[.[\]]+/);
  let part = draft as Part;
  let list: string | undefined;
  for (;;) {
    const [name = '', at = ''] = steps;
    const inner = (part[name] as Part | null | undefined)?.[at];
    if (typeof inner !== 'object' || inner === null) break;
    part = inner as Part;
    list = name;
    steps = steps.slice(2);
  }
  const [name = '', at = ''] = steps;
  const isServed = 'serves' in part && ['', 'variant', 'value'].includes(name);
  return {
    part,
    field: isServed ? 'serves' : name,
    message: at === '' ? message : `${fieldInWords(`${name}[${at}]`)}: ${message}`,
    isWhole: list === undefined || list === 'rules',
  };
}

export const faultAtIn =
  (faults: readonly Fault[]): FaultAt =>
  (part, field) =>
    faults
      .filter((fault) => fault.field === field && isStill(fault, part as Part))
      .map(({ message }) => message)
      .join('; ') || undefined;

const isStill = ({ part, field, isWhole }: Fault, now: Part): boolean =>
  now === part || (isWhole && now.id === part.id && now[field] === part[field]);
