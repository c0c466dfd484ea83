import { NumberInput, type NumberInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { roundedIn } from './typed-values.js';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'error'> {
  value: number | undefined;
  onChange: (value: number) => void;
  /** The field may stay without a number; without this the one before comes back when it is left. */
  onEmpty?: () => void;
  error?: ReactNode;
}

/**
 * Takes whole numbers where no scale is given. Holds what is typed, as nothing, `1.` and `1.50` are on the way to other numbers; the value follows wherever it is one that is kept as it is
 * written.
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
