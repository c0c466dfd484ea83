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

/**
 * The part of the browser library that is used. Create it once, outside React: components mount and unmount, twice in
 * strict mode.
 */
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
  /** The browser library; null during server-side rendering. */
  readonly source: QuarterdeckSource | null;
  /** The values for server-side rendering; pass the same ones for the first render in the browser. */
  readonly bootstrap?: Bootstrap | undefined;
  readonly children?: ReactNode | undefined;
}

/** Provides flags, config and surveys to its children. */
export function QuarterdeckProvider({ source, bootstrap = NOTHING, children }: QuarterdeckProviderProps): ReactNode {
  const value = useMemo(() => ({ source, bootstrap }), [source, bootstrap]);
  return createElement(Values.Provider, { value }, children);
}

/** The value of a flag, or the fallback when there is none or its type differs. Rerenders when the value changes. */
export function useFlag<K extends FlagKey, T extends FlagFallback<K>>(key: K, fallback: T): FlagValue<K, T> {
  return useValue('flag', key, fallback as Json) as FlagValue<K, T>;
}

/**
 * The value of a config item, or the fallback when there is none or its type differs. Rerenders when the value changes.
 */
export function useConfig<K extends ConfigKey, T extends ConfigFallback<K>>(key: K, fallback: T): ConfigValue<K, T> {
  return useValue('config', key, fallback as Json) as ConfigValue<K, T>;
}

export interface SurveyProps {
  /** Id or slug. */
  readonly survey: string;
  /** Called when the survey is gone: true when the person saw it, false when there was none to show. */
  readonly onEnd?: ((wasShown: boolean) => void) | undefined;
}

/**
 * Shows a survey while it is rendered, in the browser library's widget or the page's replacement. It takes no space in
 * the page and renders nothing on a server.
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
  /**
   * Server answers contain new objects, and an inline fallback is new at each render: equal values must be identical
   * for React.
   */
  const same = (value: unknown): unknown => {
    if (typeof value !== 'object' || JSON.stringify(value) !== JSON.stringify(last.current)) last.current = value;
    return last.current;
  };
  const begun = (): unknown => {
    const { flags, config } = given?.bootstrap ?? NOTHING;
    return same(typed((kind === 'flag' ? flags : config)?.[key], fallback));
  };
  // Both overloads infer their result from the fallback's type; here it is the caller's.
  const present = (): unknown => (source ? same(source[kind](key as FlagKey, fallback as never)) : begun());
  // React calls the second during server-side rendering and again during hydration.
  return useSyncExternalStore(subscribe, present, begun);
}
