import { type CompiledFlag, compileFlags } from '../../targeting/flags/compiled-flag.js';
import type { FlagDefinition } from '../../targeting/flags/flag-definition.js';
import { type ConfigDefinition, configSlicer, prepareItem } from './config-slicer.js';
import { DECISION_MODULES, type DecisionModule } from './decision-modules.js';
import { flagSlicer } from './flag-slicer.js';
import { constantSlicer, type Slicer, sliceOf } from './slice.js';

/** Everything decisions of one project and environment depend on, as the modules hand it over. */
export interface SnapshotSource {
  readonly projectId: string;
  readonly environment: string;
  readonly disabled: readonly string[];
  readonly flags: readonly FlagDefinition[];
  readonly items: readonly ConfigDefinition[];
  /** Whether the project has cohorts at all. */
  readonly hasCohorts: boolean;
  /** The release that clients should run, as the answer shows it; null when none was promoted. */
  readonly release: object | null;
  /** Share of crash events to send, 0 to 1. */
  readonly sampleRate: number;
}

/** What decisions are made from: compiled once, read by every request until something changes. */
export interface Snapshot {
  readonly projectId: string;
  readonly environment: string;
  readonly slicers: Readonly<Record<DecisionModule, Slicer>>;
  /** By key; empty while the module is disabled. */
  readonly flags: ReadonlyMap<string, CompiledFlag>;
  /** Modules whose answer depends on what is stored about the person. */
  readonly personal: ReadonlySet<DecisionModule>;
  /** Modules whose answer depends on the clock. */
  readonly timed: ReadonlySet<DecisionModule>;
  readonly disabled: ReadonlySet<string>;
}

/** Compiles a snapshot. Keys are put in order, so that equal content gives equal answers in every process. */
export function compileSnapshot(source: SnapshotSource): Snapshot {
  const disabled = new Set(source.disabled);
  const on = (name: DecisionModule) => !disabled.has(name);
  const flags = on('switch') ? byKey(compileFlags(source.flags)) : [];
  const items = on('config') ? byKey(source.items).map(prepareItem) : [];
  return {
    projectId: source.projectId,
    environment: source.environment,
    disabled,
    flags: new Map(flags.map((flag) => [flag.key, flag])),
    slicers: {
      switch: flagSlicer(on('switch'), flags),
      config: configSlicer(on('config'), items),
      deploy: constantSlicer(
        `{"enabled":${on('deploy')},"release":${JSON.stringify(on('deploy') ? source.release : null)}`,
      ),
      catch: constantSlicer(`{"enabled":${on('catch')},"sample_rate":${on('catch') ? source.sampleRate : 0}`),
      analytics: on('analytics') ? cohortSlicer : constantSlicer('{"enabled":false,"cohorts":[]'),
    },
    personal: new Set(
      DECISION_MODULES.filter(
        (name) =>
          (name === 'switch' && flags.some((flag) => flag.rules.personal)) ||
          (name === 'config' && items.some(({ compiled }) => compiled.rules.personal)) ||
          (name === 'analytics' && on(name) && source.hasCohorts),
      ),
    ),
    timed: new Set(
      DECISION_MODULES.filter(
        (name) =>
          (name === 'switch' && flags.some(({ rules }) => rules.timed)) ||
          (name === 'config' && items.some(({ compiled }) => compiled.rules.timed)),
      ),
    ),
  };
}

/** Whether an answer of these modules depends on what is stored about the person. */
export function isPersonal({ personal }: Snapshot, modules: readonly DecisionModule[]): boolean {
  return personal.size > 0 && modules.some((name) => personal.has(name));
}

/** Whether an answer of these modules depends on the clock. */
export function isTimed({ timed }: Snapshot, modules: readonly DecisionModule[]): boolean {
  return timed.size > 0 && modules.some((name) => timed.has(name));
}

const cohortSlicer: Slicer = ({ cohorts }) =>
  sliceOf(`{"enabled":true,"cohorts":${JSON.stringify([...cohorts].sort())}`);

function byKey<T extends { readonly key: string }>(entries: readonly T[]): T[] {
  return [...entries].sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0));
}
