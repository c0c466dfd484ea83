import {
  createContext,
  createElement,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { Bootstrap } from '../core/decisions.js';
import { type Json, typed } from '../core/json.js';
import type { ConfigFallback, ConfigKey, ConfigValue, FlagFallback, FlagKey, FlagValue } from '../core/typed-keys.js';

/** What the hooks use of the browser library. It is made outside of React, once: components come and go, twice over in strict mode. */
export interface ValueSource {
  flag<T extends Json>(key: string, fallback: T): unknown;
  config<T extends Json>(key: string, fallback: T): unknown;
  onChange(listener: () => void): () => void;
}

interface Given {
  readonly source: ValueSource | null;
  readonly bootstrap: Bootstrap;
}

const Values = createContext<Given | null>(null);
const NOTHING: Bootstrap = {};
const never = (): void => undefined;

export interface QuarterdeckProviderProps {
  /** The browser library; null while a page is made on the server. */
  readonly source: ValueSource | null;
  /** The values that the page is made with on the server, and the same ones again for its first render in the browser. */
  readonly bootstrap?: Bootstrap | undefined;
  readonly children?: ReactNode;
}

/** Gives flags and config to the hooks below. */
export function QuarterdeckProvider({ source, bootstrap = NOTHING, children }: QuarterdeckProviderProps): ReactNode {
  const value = useMemo(() => ({ source, bootstrap }), [source, bootstrap]);
  return createElement(Values.Provider, { value }, children);
}

/** Value of a flag, rendered anew when it changes; the fallback when there is none, or none of the fallback's type. */
export function useFlag<K extends FlagKey, T extends FlagFallback<K>>(key: K, fallback: T): FlagValue<K, T> {
  return useValue('flag', key, fallback as Json) as FlagValue<K, T>;
}

/** Value of a config item, rendered anew when it changes; the fallback when there is none, or none of the fallback's type. */
export function useConfig<K extends ConfigKey, T extends ConfigFallback<K>>(key: K, fallback: T): ConfigValue<K, T> {
  return useValue('config', key, fallback as Json) as ConfigValue<K, T>;
}

function useValue(kind: 'flag' | 'config', key: string, fallback: Json): unknown {
  const given = useContext(Values);
  const source = given?.source ?? null;
  const subscribe = useCallback((changed: () => void) => source?.onChange(changed) ?? never, [source]);
  const begun = (): unknown => {
    const { flags, config } = given?.bootstrap ?? NOTHING;
    return typed((kind === 'flag' ? flags : config)?.[key], fallback);
  };
  const present = (): unknown => (source ? source[kind](key, fallback) : begun());
  // React asks for the second while a page is made on the server and once more when it takes that page over.
  return useSyncExternalStore(subscribe, present, begun);
}
