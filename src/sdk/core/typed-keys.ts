import type { Json, Widened } from './json.js';

declare global {
  /** Flags by key with the type of their values; `quarterdeck types` generates the members. */
  interface QuarterdeckFlags {}
  /** Config items by key with the type of their values; `quarterdeck types` generates the members. */
  interface QuarterdeckConfig {}
}

type KeyOf<All> = keyof All extends never ? string : keyof All & string;
type FallbackOf<All, Key> = Key extends keyof All ? All[Key] : Json;
type ValueOf<All, Key, Fallback> = Key extends keyof All ? All[Key] : Widened<Fallback>;

/** The keys of your flags; any string until you generate types. */
export type FlagKey = KeyOf<QuarterdeckFlags>;
export type FlagFallback<Key> = FallbackOf<QuarterdeckFlags, Key>;
export type FlagValue<Key, Fallback> = ValueOf<QuarterdeckFlags, Key, Fallback>;

/** The keys of your config items; any string until you generate types. */
export type ConfigKey = KeyOf<QuarterdeckConfig>;
export type ConfigFallback<Key> = FallbackOf<QuarterdeckConfig, Key>;
export type ConfigValue<Key, Fallback> = ValueOf<QuarterdeckConfig, Key, Fallback>;
