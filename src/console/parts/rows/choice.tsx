import { SegmentedControl } from '@mantine/core';
import { oneOf, useSearchState } from '../../data/use-search-state.js';

/** What each of a few choices is called. */
export type Choices<Value extends string> = Readonly<Record<Value, string>>;

/** Which of the choices the address has under a name; the usual one, which is the first unless given, where it has none of them. */
export function useChoice<Value extends string>(name: string, choices: Choices<Value>, usual?: Value): Value {
  const [search] = useSearchState();
  const values = Object.keys(choices) as [Value, ...Value[]];
  return oneOf(search[name], [usual ?? values[0], ...values]);
}

interface ChoiceProps<Value extends string> {
  label: string;
  /** The name under which the address has it. */
  name: string;
  choices: Choices<Value>;
  /** The choice of an address that names none: the first, unless given. */
  usual?: Value;
}

/** A choice that the address keeps. */
export function Choice<Value extends string>({ label, name, choices, usual }: ChoiceProps<Value>) {
  const [, change] = useSearchState();
  const data = (Object.keys(choices) as Value[]).map((value) => ({ value, label: choices[value] }));
  return (
    <SegmentedControl
      aria-label={label}
      data={data}
      value={useChoice(name, choices, usual)}
      onChange={(value) => change({ [name]: value === (usual ?? data[0]?.value) ? null : value })}
    />
  );
}
