import { hash } from 'node:crypto';
import { Compilation } from '../../targeting/compilation.js';
import { type CompiledFlag, compileFlags } from '../../targeting/flags/compiled-flag.js';
import { isPersonal, joinNeeds, type Needs } from '../../targeting/needs.js';
import type { CohortDefinition } from '../ingest/cohorts/cohort-definitions.js';
import { type CompiledCohorts, compileCohorts } from '../ingest/cohorts/compiled-cohorts.js';
import type { FactsWanted } from '../ingest/people/person-facts.js';
import type { StoredFlag } from '../switch/flags/flag-definitions.js';
import { type ConfigDefinition, configSlicer, itemMember, prepareItem } from './config-slicer.js';
import { DECISION_MODULES, type DecisionModule } from './decision-modules.js';
import { definitionsAnswer, type WrittenDefinitions } from './definitions.js';
import { flagMember, flagSlicer } from './flag-slicer.js';
import { ofrepChooser, ofrepMember } from './ofrep-flag.js';
import { type Chooser, constantSlicer, type Slice, type Slicer, sliceOf, type Told, toldOf } from './slice.js';
import { positionOf } from './streams/versions.js';

/** Everything decisions of one project and environment depend on, as the modules hand it over. */
export interface SnapshotSource {
  readonly projectId: string;
  readonly environment: string;
  readonly disabled: readonly string[];
  readonly flags: readonly StoredFlag[];
  readonly items: readonly ConfigDefinition[];
  readonly cohorts: readonly CohortDefinition[];
  /** The release that clients should run, as the answer shows it; null when none was promoted. */
  readonly release: object | null;
  /** Share of crash events to send, 0 to 1. */
  readonly sampleRate: number;
}

/** What tells outcomes of flags and items: modules of the handshake, and OpenFeature's remote evaluation. */
export const TOLD_SOURCES = ['switch', 'config', 'ofrep'] as const;
export type ToldSource = (typeof TOLD_SOURCES)[number];

/** What decisions are made from: compiled once, read by every request until something changes. */
export interface Snapshot {
  /** Equal for equal sources. */
  readonly fingerprint: string;
  /** The beginning of the consolidated answer. */
  readonly head: string;
  readonly slicers: Readonly<Record<DecisionModule, Slicer>>;
  /** By key; empty while the module is disabled. */
  readonly flags: ReadonlyMap<string, CompiledFlag>;
  /** All flags in the form of OpenFeature's remote evaluation; prepared for who asks first. */
  readonly ofrep: () => Chooser;
  /** What all of it is decided by, for servers that decide themselves; written for who asks first. */
  readonly definitions: () => WrittenDefinitions;
  readonly cohorts: CompiledCohorts;
  /** Ids of the flags by key. */
  readonly flagIds: ReadonlyMap<string, string>;
  /** What answers tell, for those who count; prepared for who asks first. */
  readonly told: Readonly<Record<ToldSource, () => Told>>;
  /** What has to be known of a person to decide anything here: JSON text of {@link FactsWanted}. */
  readonly wanted: string;
  /** Modules whose answer depends on what is stored about the person. */
  readonly personal: ReadonlySet<DecisionModule>;
  /** Modules whose answer depends on the clock. */
  readonly timed: ReadonlySet<DecisionModule>;
  /** What each module's answers are made from, as a short text: it changes when they may change for anybody. */
  readonly versions: Readonly<Record<DecisionModule, string>>;
  /** The versions as the position of a stream; it says nothing of surveys. */
  readonly position: string;
}

/** Tells sources apart, without compiling them. */
export function fingerprintOf(source: SnapshotSource): string {
  return hash('sha256', JSON.stringify(source), 'base64');
}

/** Compiles a snapshot. Keys are put in order, so that equal content gives equal answers in every process. */
export function compileSnapshot(source: SnapshotSource, fingerprint = fingerprintOf(source)): Snapshot {
  const disabled = new Set(source.disabled);
  const on = (name: DecisionModule) => !disabled.has(name);
  const compilation = new Compilation();
  const flags = on('switch') ? byKey(compileFlags(source.flags, compilation)) : [];
  const items = on('config') ? byKey(source.items).map((item) => prepareItem(item, compilation)) : [];
  const cohorts = compileCohorts(source.cohorts);
  const flagIds = new Map(source.flags.map(({ key, id }) => [key, id]));
  const idOf = ({ key }: CompiledFlag) => flagIds.get(key) as string;
  const flagMembers = flags.map((flag) => flagMember(flag, idOf(flag)));
  const ofrepMembers = once(() => flags.map((flag) => ofrepMember(flag, idOf(flag))));
  const itemMembers = items.map(itemMember);
  const needs: Partial<Record<DecisionModule, Needs>> = {
    switch: joinNeeds(flags.map(({ rules }) => rules.needs)),
    config: joinNeeds(items.map(({ compiled }) => compiled.rules.needs)),
    analytics: { properties: [], cohorts: on('analytics') && source.cohorts.length > 0 },
  };
  const timed: Partial<Record<DecisionModule, boolean | undefined>> = {
    switch: flags.some(({ rules }) => rules.timed) || (cohorts.timed && needs.switch?.cohorts),
    config: items.some(({ compiled }) => compiled.rules.timed) || (cohorts.timed && needs.config?.cohorts),
    analytics: cohorts.timed && on('analytics'),
  };
  const { projectId, environment } = source;
  const version = (name: DecisionModule, content: unknown): string =>
    shortHash([on(name), content, needs[name]?.cohorts ? source.cohorts : null]);
  const versions = {
    switch: version('switch', byKey(source.flags)),
    config: version('config', byKey(source.items)),
    deploy: version('deploy', source.release),
    catch: version('catch', source.sampleRate),
    analytics: version('analytics', null),
  };
  const head = `{"project_id":${JSON.stringify(projectId)},"environment":${JSON.stringify(environment)}`;
  return {
    fingerprint,
    head,
    definitions: once(() =>
      definitionsAnswer({
        head,
        flags: on('switch') ? byKey(source.flags) : [],
        items: on('config') ? byKey(source.items) : [],
        cohorts: source.cohorts,
      }),
    ),
    cohorts,
    wanted: JSON.stringify(wantedOf(joinNeeds(Object.values(needs)), cohorts)),
    flags: new Map(flags.map((flag) => [flag.key, flag])),
    ofrep: once(() => ofrepChooser(ofrepMembers())),
    flagIds,
    told: {
      switch: () => toldOf(flagMembers),
      config: () => toldOf(itemMembers),
      ofrep: () => toldOf(ofrepMembers()),
    },
    slicers: {
      switch: flagSlicer(on('switch'), flagMembers),
      config: configSlicer(on('config'), itemMembers),
      deploy: constantSlicer(
        `{"enabled":${on('deploy')},"release":${JSON.stringify(on('deploy') ? source.release : null)}`,
      ),
      catch: constantSlicer(`{"enabled":${on('catch')},"sample_rate":${on('catch') ? source.sampleRate : 0}`),
      analytics: on('analytics') ? cohortSlicer() : constantSlicer('{"enabled":false,"cohorts":[]'),
    },
    personal: new Set(DECISION_MODULES.filter((name) => needs[name] && isPersonal(needs[name]))),
    timed: new Set(DECISION_MODULES.filter((name) => timed[name])),
    versions,
    position: positionOf({ ...versions, surveys: '' }),
  };
}

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

/** Ten characters of a hash: two contents in a row share them once in 10^18 changes. */
const shortHash = (content: unknown): string => hash('sha256', JSON.stringify(content), 'base64url').slice(0, 10);

/** Combinations of cohorts that are remembered of a project; a fleet has few. */
const MOST_COMBINATIONS = 200;

/** Answers the cohorts that a caller is in; who is in the same shares a slice. */
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
