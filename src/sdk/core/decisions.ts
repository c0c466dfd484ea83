import type { Json } from './json.js';
import { plainJson } from './plain-json.js';

export interface FlagDecision {
  readonly value: Json;
  readonly variant: string;
  readonly reason: string;
  readonly version: number;
}

export interface ConfigDecision {
  readonly value: Json;
  readonly version: number;
  readonly reason: string;
}

/** The server's decisions for this person, as far as the library reads them (docs/rest.md, Handshake). */
export interface Decisions {
  readonly flags: Readonly<Record<string, FlagDecision>>;
  readonly config: Readonly<Record<string, ConfigDecision>>;
  readonly cohorts: readonly string[];
  /** Sample rate of crash events. */
  readonly sampleRate: number;
}

/** Initial values by key, as the page was rendered with on the server. */
export interface Bootstrap {
  readonly flags?: Readonly<Record<string, Json>> | undefined;
  readonly config?: Readonly<Record<string, Json>> | undefined;
}

/** Keys whose value or reason changed; a flag halted at its default counts as changed. */
export interface DecisionChange {
  readonly flags: readonly string[];
  readonly config: readonly string[];
}

export const NO_DECISIONS: Decisions = { flags: {}, config: {}, cohorts: [], sampleRate: 1 };

const BOOTSTRAP = { variant: '', reason: 'bootstrap', version: 0 };

const decided = (values: Bootstrap['flags']): Record<string, FlagDecision> =>
  Object.fromEntries(Object.entries(Object(values) as object).map(([key, value]) => [key, { ...BOOTSTRAP, value }]));

/** The page's own values, without invalid ones. */
export function bootstrapped(given: Bootstrap): Decisions {
  const { flags, config } = Object(plainJson(given, Number.POSITIVE_INFINITY)) as Bootstrap;
  return { ...NO_DECISIONS, flags: decided(flags), config: decided(config) };
}

type Slices = {
  switch?: { flags?: Decisions['flags'] };
  config?: { values?: Decisions['config'] };
  catch?: { sample_rate?: number };
  analytics?: { cohorts?: string[] };
};

/** Reads the body of a handshake; null when it is invalid. */
export function decisionsOf(body: unknown): Decisions | null {
  const modules = (body as { modules?: Slices } | null)?.modules;
  if (typeof modules !== 'object' || modules === null) return null;
  return {
    flags: modules.switch?.flags ?? {},
    config: modules.config?.values ?? {},
    cohorts: modules.analytics?.cohorts ?? [],
    sampleRate: modules.catch?.sample_rate ?? 1,
  };
}

const changedKeys = (
  before: Readonly<Record<string, ConfigDecision>>,
  after: Readonly<Record<string, ConfigDecision>>,
): string[] =>
  Object.keys({ ...before, ...after }).filter(
    (key) =>
      before[key]?.reason !== after[key]?.reason ||
      JSON.stringify(before[key]?.value) !== JSON.stringify(after[key]?.value),
  );

export const changeBetween = (before: Decisions, after: Decisions): DecisionChange => ({
  flags: changedKeys(before.flags, after.flags),
  config: changedKeys(before.config, after.config),
});

/**
 * What is shown while values are frozen: the same values, except for flags halted since, because a kill switch must act
 * at once.
 */
export function heldBut(shown: Decisions, latest: Decisions): Decisions {
  const halted = Object.entries(latest.flags).filter(([, { reason }]) => reason === 'halted');
  return { ...latest, config: shown.config, flags: { ...shown.flags, ...Object.fromEntries(halted) } };
}
