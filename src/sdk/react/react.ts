import {
  createContext,
  createElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import type { Bootstrap } from '../core/decisions.js';
import { type Json, typed } from '../core/json.js';
import type { ConfigFallback, ConfigKey, ConfigValue, FlagFallback, FlagKey, FlagValue } from '../core/typed-keys.js';

/** What is used of the browser library. It is made outside React, once: components come and go, twice over in strict mode. */
export interface QuarterdeckSource {
  flag(key: FlagKey, fallback: never): unknown;
  config(key: ConfigKey, fallback: never): unknown;
  onChange(listener: () => void): () => void;
  showSurvey(survey: string, options: { signal: AbortSignal; onClosed: () => void }): Promise<boolean>;
}

interface Given {
  readonly source: QuarterdeckSource | null;
  readonly bootstrap: Bootstrap;
}

const Values = createContext<Given | null>(null);
const NOTHING: Bootstrap = {};
const never = (): void => undefined;

export interface QuarterdeckProviderProps {
  /** The browser library; null while a page is made on the server. */
  readonly source: QuarterdeckSource | null;
  /** The values that the page is made with on the server, and the same ones again for its first render in the browser. */
  readonly bootstrap?: Bootstrap | undefined;
  readonly children?: ReactNode;
}

/** Gives flags, config and surveys to what is below it. */
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

export interface SurveyProps {
  /** Id or slug. */
  readonly survey: string;
  /** Called when it is gone: true when the person saw it, false when there was none to show. */
  readonly onEnd?: (wasShown: boolean) => void;
}

/**
 * Shows a survey for as long as it is rendered, in the widget of the browser library or what the page has put in its place. It has no
 * place in the page of its own, and nothing of it is rendered on a server.
 */
export function Survey({ survey, onEnd }: SurveyProps): null {
  const source = useContext(Values)?.source ?? null;
  const latest = useRef(onEnd);
  useEffect(() => {
    latest.current = onEnd;
  }, [onEnd]);
  useEffect(() => {
    const shown = new AbortController();
    const { signal } = shown;
    const end = (wasShown: boolean): void => {
      if (!signal.aborted) latest.current?.(wasShown);
    };
    void source?.showSurvey(survey, { signal, onClosed: () => end(true) }).then((isShown) => isShown || end(false));
    return () => shown.abort();
  }, [source, survey]);
  return null;
}

function useValue(kind: 'flag' | 'config', key: string, fallback: Json): unknown {
  const given = useContext(Values);
  const source = given?.source ?? null;
  const subscribe = useCallback((changed: () => void) => source?.onChange(changed) ?? never, [source]);
  const last = useRef<unknown>(undefined);
  /** An answer of the server is made of new objects, and a fallback written in place is one at each render: equal ones are the same to React. */
  const same = (value: unknown): unknown => {
    if (typeof value !== 'object' || JSON.stringify(value) !== JSON.stringify(last.current)) last.current = value;
    return last.current;
  };
  const begun = (): unknown => {
    const { flags, config } = given?.bootstrap ?? NOTHING;
    return same(typed((kind === 'flag' ? flags : config)?.[key], fallback));
  };
  // Each of the two tells by its fallback's type what it answers; here that is whatever the caller's is.
  const present = (): unknown => (source ? same(source[kind](key as FlagKey, fallback as never)) : begun());
  // React asks for the second while a page is made on the server and once more when it takes that page over.
  return useSyncExternalStore(subscribe, present, begun);
}
