import { hash } from 'node:crypto';
import { Compilation } from '../../targeting/compilation.js';
import { type CompiledFlag, compileFlags } from '../../targeting/flags/compiled-flag.js';
import { isPersonal, joinNeeds, type Needs, NO_NEEDS } from '../../targeting/needs.js';
import { type CompiledCohorts, compileCohorts } from '../ingest/cohorts/compiled-cohorts.js';
import type { FactsWanted } from '../ingest/people/person-facts.js';
import { configSlicer, itemMember, type PreparedItem, prepareItem } from './config-slicer.js';
import { DECISION_MODULES, type DecisionModule } from './decision-modules.js';
import { definitionsAnswer, type WrittenDefinitions } from './definitions.js';
import { flagMember, flagSlicer } from './flag-slicer.js';
import { ofrepChooser, ofrepMember } from './ofrep-flag.js';
import {
  type Chooser,
  constantSlicer,
  type MemberOutcomes,
  memberOutcomes,
  type Slice,
  type Slicer,
  sliceOf,
} from './slice.js';
import { modulesOn, type SnapshotSource, writeSource } from './snapshot-source.js';
import { positionOf } from './streams/versions.js';

/** What serves outcomes of flags and items: modules of the handshake, and OpenFeature's remote evaluation. */
export const OUTCOME_SOURCES = ['switch', 'config', 'ofrep'] as const;
export type OutcomeSource = (typeof OUTCOME_SOURCES)[number];

/** The basis for decisions: compiled once, used by every request until something changes. */
export interface Snapshot {
  /** Equal for equal sources. */
  readonly fingerprint: string;
  readonly head: string;
  readonly slicers: Readonly<Record<DecisionModule, Slicer>>;
  /** By key; empty while the module is disabled. */
  readonly flags: ReadonlyMap<string, CompiledFlag>;
  /** All flags in the format of OpenFeature's remote evaluation; prepared on first use. */
  readonly ofrep: () => Chooser;
  /** Definitions, for servers that make decisions themselves; written on first use. */
  readonly definitions: () => WrittenDefinitions;
  readonly cohorts: CompiledCohorts;
  readonly flagIds: ReadonlyMap<string, string>;
  /** What answers mean, for counting; prepared on first use. */
  readonly outcomes: Readonly<Record<OutcomeSource, () => MemberOutcomes>>;
  /** The facts about a person that any decision here needs: JSON text of {@link FactsWanted}. */
  readonly wanted: string;
  /** Modules whose answer depends on stored data about the person. */
  readonly personal: ReadonlySet<DecisionModule>;
  /** Modules whose answer depends on the clock. */
  readonly timed: ReadonlySet<DecisionModule>;
  /** A short text per module that changes when its answers may change for anyone. */
  readonly versions: Readonly<Record<DecisionModule, string>>;
  /** The versions as the position of a stream; surveys aren't included. */
  readonly position: string;
}

/** Compiles a snapshot. Keys are sorted, so that equal content gives equal answers in every process. */
export function compileSnapshot(source: SnapshotSource, written = writeSource(source)): Snapshot {
  const { projectId, environment } = source;
  const head = `{"project_id":${JSON.stringify(projectId)},"environment":${JSON.stringify(environment)}`;
  const on = modulesOn(source);
  const ruled = compileRuled(source, on);
  const { flags, items, cohorts } = ruled;
  const needs = needsOf(ruled, on);
  const versions = versionsOf(source, on, needs);
  const flagIds = new Map(source.flags.map(({ key, id }) => [key, id]));
  const flagMembers = flags.map((flag) => flagMember(flag, flagIds.get(flag.key) as string));
  const itemMembers = items.map(itemMember);
  return {
    fingerprint: written.fingerprint,
    head,
    definitions: definitionsOf(written.text, head),
    cohorts,
    wanted: JSON.stringify(wantedOf(joinNeeds(Object.values(needs)), cohorts)),
    flags: new Map(flags.map((flag) => [flag.key, flag])),
    flagIds,
    ofrep: ofrepOf(flags, flagIds),
    outcomes: {
      switch: memberOutcomes(flagMembers),
      config: memberOutcomes(itemMembers),
      ofrep: ofrepOutcomes(flags, flagIds),
    },
    slicers: {
      switch: flagSlicer(on.has('switch'), flagMembers),
      config: configSlicer(on.has('config'), itemMembers),
      deploy: constantSlicer(
        `{"enabled":${on.has('deploy')},"release":${JSON.stringify(on.has('deploy') ? source.release : null)}`,
      ),
      catch: constantSlicer(`{"enabled":${on.has('catch')},"sample_rate":${on.has('catch') ? source.sampleRate : 0}`),
      analytics: on.has('analytics') ? cohortSlicer() : constantSlicer('{"enabled":false,"cohorts":[]'),
    },
    personal: new Set(DECISION_MODULES.filter((name) => isPersonal(needs[name]))),
    timed: timedOf(ruled, needs, on),
    versions,
    position: positionOf({ ...versions, surveys: '' }),
  };
}

type ModuleNeeds = Readonly<Record<DecisionModule, Needs>>;

/** The parts of a source with rules, compiled; empty if their module is disabled. */
interface Ruled {
  readonly flags: readonly CompiledFlag[];
  readonly items: readonly PreparedItem[];
  readonly cohorts: CompiledCohorts;
}

// A closure keeps everything used by any closure of the same function. Therefore, whatever outlives compilation is created in functions
// that don't see the source: it, and the data shared by rules during compilation, would take more memory than the result.

function compileRuled(source: SnapshotSource, on: ReadonlySet<DecisionModule>): Ruled {
  const compilation = new Compilation();
  return {
    flags: on.has('switch') ? byKey(compileFlags(source.flags, compilation)) : [],
    items: on.has('config') ? byKey(source.items).map((item) => prepareItem(item, compilation)) : [],
    cohorts: compileCohorts(source.cohorts),
  };
}

function needsOf({ flags, items, cohorts }: Ruled, on: ReadonlySet<DecisionModule>): ModuleNeeds {
  return {
    switch: joinNeeds(flags.map(({ rules }) => rules.needs)),
    config: joinNeeds(items.map(({ compiled }) => compiled.rules.needs)),
    deploy: NO_NEEDS,
    catch: NO_NEEDS,
    analytics: on.has('analytics') && cohorts.members.size > 0 ? { properties: [], cohorts: true } : NO_NEEDS,
  };
}

function timedOf(
  { flags, items, cohorts }: Ruled,
  needs: ModuleNeeds,
  on: ReadonlySet<DecisionModule>,
): ReadonlySet<DecisionModule> {
  const timed = new Set<DecisionModule>();
  if (flags.some(({ rules }) => rules.timed) || (cohorts.timed && needs.switch.cohorts)) timed.add('switch');
  if (items.some(({ compiled }) => compiled.rules.timed) || (cohorts.timed && needs.config.cohorts))
    timed.add('config');
  if (cohorts.timed && on.has('analytics')) timed.add('analytics');
  return timed;
}

function versionsOf(
  source: SnapshotSource,
  on: ReadonlySet<DecisionModule>,
  needs: ModuleNeeds,
): Readonly<Record<DecisionModule, string>> {
  const version = (name: DecisionModule, content: unknown): string =>
    shortHash([on.has(name), content, needs[name].cohorts ? source.cohorts : null]);
  return {
    switch: version('switch', byKey(source.flags)),
    config: version('config', byKey(source.items)),
    deploy: version('deploy', source.release),
    catch: version('catch', source.sampleRate),
    analytics: version('analytics', null),
  };
}

function definitionsOf(text: string, head: string): () => WrittenDefinitions {
  return once(() => {
    const source = JSON.parse(text) as SnapshotSource;
    const on = modulesOn(source);
    return definitionsAnswer({
      head,
      flags: on.has('switch') ? byKey(source.flags) : [],
      items: on.has('config') ? byKey(source.items) : [],
      cohorts: source.cohorts,
    });
  });
}

type FlagIds = ReadonlyMap<string, string>;

const ofrepMembers = (flags: readonly CompiledFlag[], ids: FlagIds) =>
  flags.map((flag) => ofrepMember(flag, ids.get(flag.key) as string));

const ofrepOf = (flags: readonly CompiledFlag[], ids: FlagIds): (() => Chooser) =>
  once(() => ofrepChooser(ofrepMembers(flags, ids)));

const ofrepOutcomes = (flags: readonly CompiledFlag[], ids: FlagIds) => (): MemberOutcomes =>
  memberOutcomes(ofrepMembers(flags, ids))();

/** Whether any of some modules is in a set of a snapshot. */
export function concerns(set: ReadonlySet<DecisionModule>, modules: readonly DecisionModule[]): boolean {
  return set.size > 0 && modules.some((name) => set.has(name));
}

function wantedOf({ properties, cohorts }: Needs, compiled: CompiledCohorts): FactsWanted {
  if (!cohorts) return { properties, ids: false };
  return { properties: [...new Set([...properties, ...compiled.properties])].sort(), ids: compiled.listed };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Ten characters of a hash: two consecutive contents collide once in 10^18 changes. */
const shortHash = (content: unknown): string => hash('sha256', JSON.stringify(content), 'base64url').slice(0, 10);

/** Cohort combinations cached per project; a fleet has few. */
const MOST_COMBINATIONS = 200;

/** Finds the cohorts of a caller; callers in the same cohorts share a slice. */
function cohortSlicer(): Slicer {
  const slices = new Map<string, Slice>();
  return ({ cohorts }, known) => {
    const names = known ?? JSON.stringify([...cohorts].sort());
    let slice = slices.get(names);
    if (!slice) {
      slice = sliceOf(`{"enabled":true,"cohorts":${names}`, names);
      if (slices.size < MOST_COMBINATIONS) slices.set(names, slice);
    }
    return slice;
  };
}

function byKey<T extends { readonly key: string }>(entries: readonly T[]): T[] {
  return [...entries].sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0));
}
