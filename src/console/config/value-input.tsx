import { Textarea, TextInput } from '@mantine/core';
import type { ConfigValueType } from '#documents';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { typing } from '../parts/fields/typing.js';

interface ValueInputProps {
  type: ConfigValueType;
  value: string;
  onChange: (value: string) => void;
  label: string;
  disabled: boolean;
  error?: string | undefined;
}

/** Why a text isn't a valid value of the type. The server has the final say and checks the JSON Schema. */
export function faultOf(type: ConfigValueType, value: string): string | undefined {
  if (type === 'int' && !/^-?\d+$/.test(value)) return 'Enter a whole number, such as 25.';
  if (type === 'float' && (value.trim() === '' || Number.isNaN(Number(value)))) return 'Enter a number, such as 0.25.';
  if (type !== 'json') return undefined;
  try {
    JSON.parse(value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "This isn't valid JSON.";
  }
}

/** Edits an item's value by its type, on one or more lines. */
export function ValueInput({ type, value, onChange, label, disabled, error }: ValueInputProps) {
  const fault = error ?? faultOf(type, value);
  const isNumber = type === 'int' || type === 'float';
  if (type === 'bool')
    return (
      <ChoiceSelect
        label={label}
        choices={['true', 'false']}
        value={value}
        onChange={onChange}
        error={error}
        disabled={disabled}
        w={120}
      />
    );
  if (type === 'json' || value.includes('\n'))
    return (
      <Textarea
        label={label}
        {...typing(value, onChange)}
        disabled={disabled}
        error={fault}
        autosize
        minRows={1}
        maxRows={10}
        flex={1}
        miw={220}
        className="mono"
      />
    );
  return (
    <TextInput
      label={label}
      // The server rejects numbers with surrounding whitespace, which pasted text often has.
      {...typing(value, (text) => onChange(isNumber ? text.trim() : text))}
      disabled={disabled}
      error={fault}
      inputMode={isNumber ? 'decimal' : 'text'}
      className="mono"
    />
  );
}
