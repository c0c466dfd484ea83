import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useSearchState } from '../../data/use-search-state.js';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  w?: TextInputProps['w'];
}

/** What a page searches for, which the address has as `q`. */
export function SearchField({ label, placeholder, w = { base: '100%', sm: 260 } }: SearchFieldProps) {
  const [typed, setTyped] = useTypedSearch('q');
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      onChange={(e) => setTyped(e.currentTarget.value)}
      w={w}
    />
  );
}

/** It is in the address once the typing pauses, and what else comes into the address is in the field. */
export function useTypedSearch(name: string): [string, (text: string) => void] {
  const [search, change] = useSearchState();
  const asked = search[name] ?? '';
  const [typed, setTyped] = useState(asked);
  /** What was typed here and is on its way into the address: by the time it is there, the field may have more. */
  const onTheWay = useRef<string[]>([]);
  const ask = useDebouncedCallback((text: string) => {
    const next = text.trim();
    if (next === asked) return;
    onTheWay.current.push(next);
    change({ [name]: next || null });
  }, 200);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the address alone
  useEffect(() => {
    const at = onTheWay.current.indexOf(asked);
    onTheWay.current.splice(0, at + 1);
    if (at >= 0) return;
    ask.cancel();
    setTyped(asked);
  }, [asked]);
  return [
    typed,
    (text) => {
      setTyped(text);
      ask(text);
    },
  ];
}
