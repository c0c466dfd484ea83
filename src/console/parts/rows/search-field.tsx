import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useSearchState } from '../../data/use-search-state.js';
import { typing } from '../fields/typing.js';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  w?: TextInputProps['w'];
}

/** The page's search text, kept in the address as `q`. */
export function SearchField({ label, placeholder, w = { base: '100%', sm: 260 } }: SearchFieldProps) {
  const [typed, setTyped] = useTypedSearch('q');
  return <TextInput aria-label={label} placeholder={placeholder} {...typing(typed, setTyped)} w={w} />;
}

/** Updates the address when typing pauses, and the field when the address changes otherwise. */
export function useTypedSearch(name: string): [string, (text: string) => void] {
  const [search, change] = useSearchState();
  const asked = search[name] ?? '';
  const [typed, setTyped] = useState(asked);
  /** Text on its way into the address; the field may have more by the time it arrives. */
  const onTheWay = useRef<string[]>([]);
  const ask = useDebouncedCallback((text: string) => {
    const next = text.trim();
    if (next === asked) return;
    onTheWay.current.push(next);
    change({ [name]: next || null });
  }, 200);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it depends only on the address
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
