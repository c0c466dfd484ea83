import { NumberInput, type NumberInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { roundedIn } from './typed-values.js';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'error'> {
  value: number | undefined;
  onChange: (value: number) => void;
  /** The field may stay empty; otherwise leaving it restores the previous number. */
  onEmpty?: () => void;
  error?: ReactNode;
}

/**
 * Accepts whole numbers unless a scale is given. Keeps the text as typed, since an empty text, `1.` and `1.50` lead
 * to other numbers, and updates the value whenever the text is a number that is stored unchanged.
 */
export function NumberField({ value, onChange, onEmpty, error, decimalScale, ...rest }: NumberFieldProps) {
  const [typed, setTyped] = useState<{ text: string | number; value: number | undefined } | null>(null);
  const take = (text: string | number) => {
    const number = Number(text);
    const isNumber = text !== '' && !Number.isNaN(number) && !roundedIn(String(text));
    const isLeftOut = text === '' && onEmpty !== undefined;
    const next = isNumber ? number : isLeftOut ? undefined : value;
    setTyped({ text, value: next });
    if (next === value) return;
    if (next === undefined) onEmpty?.();
    else onChange(next);
  };
  const shown = typed && typed.value === value ? typed.text : (value ?? '');
  const rounded = roundedIn(String(shown));
  return (
    <NumberInput
      allowDecimal={decimalScale !== undefined}
      decimalScale={decimalScale}
      {...rest}
      value={shown}
      error={rounded ? `${rounded} would be rounded; edit it as text.` : error}
      onChange={take}
      onBlur={() => !rounded && setTyped(null)}
    />
  );
}
