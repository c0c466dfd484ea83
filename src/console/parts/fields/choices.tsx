import { SegmentedControl, type SegmentedControlProps, Select, type SelectProps } from '@mantine/core';

/** Fixed choices: values that are their own labels, or the label of each value. */
type Choices<Value extends string> = readonly Value[] | Readonly<Record<Value, string>>;

interface Chosen<Value extends string> {
  choices: Choices<Value>;
  value: Value | '';
  onChange: (value: Value) => void;
}

type Given<Props, Value extends string> = Omit<Props, 'data' | keyof Chosen<Value>> & Chosen<Value>;

const dataOf = (choices: Choices<string>) =>
  Object.entries(choices).map(([value, label]) => (Array.isArray(choices) ? label : { value, label }));

/** A select of fixed choices, one of which is always chosen. */
export function ChoiceSelect<Value extends string>({ choices, onChange, ...rest }: Given<SelectProps, Value>) {
  return <Select data={dataOf(choices)} onChange={(next) => next && onChange(next as Value)} {...rest} />;
}

/** The same with every choice in view. */
export function ChoiceSegments<Value extends string>({
  choices,
  onChange,
  ...rest
}: Given<SegmentedControlProps, Value>) {
  return <SegmentedControl data={dataOf(choices)} onChange={(next) => onChange(next as Value)} {...rest} />;
}
