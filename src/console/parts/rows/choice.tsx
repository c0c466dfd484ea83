import { oneOf, useSearchState } from '../../data/use-search-state.js';
import { ChoiceSegments } from '../fields/choices.js';

/** The label of each choice. */
export type Choices<Value extends string> = Readonly<Record<Value, string>>;

/** The choice that the address has under a name; if none, the default, which is the first unless given. */
export function useChoice<Value extends string>(name: string, choices: Choices<Value>, usual?: Value): Value {
  const [search] = useSearchState();
  const values = Object.keys(choices) as [Value, ...Value[]];
  return oneOf(search[name], [usual ?? values[0], ...values]);
}

interface ChoiceProps<Value extends string> {
  label: string;
  /** Its name in the address. */
  name: string;
  choices: Choices<Value>;
  /** The choice when the address names none; the first by default. */
  usual?: Value;
}

/** A segmented control whose choice is kept in the address. */
export function Choice<Value extends string>({ label, name, choices, usual }: ChoiceProps<Value>) {
  const [, change] = useSearchState();
  const first = usual ?? Object.keys(choices)[0];
  return (
    <ChoiceSegments
      aria-label={label}
      choices={choices}
      value={useChoice(name, choices, usual)}
      onChange={(value) => change({ [name]: value === first ? null : value })}
    />
  );
}
