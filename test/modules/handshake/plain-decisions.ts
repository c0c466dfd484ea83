import type { Pool } from 'pg';
import type { ProjectEnvironment } from '../../../src/kernel/actor.js';
import { rulesOf } from '../../../src/modules/config/rules/item-rule.js';
import type { DecisionCaller } from '../../../src/modules/handshake/answer.js';
import type { ConfigDefinition } from '../../../src/modules/handshake/config-slicer.js';
import { databaseSources } from '../../../src/modules/handshake/database-sources.js';
import { ofrepFlag } from '../../../src/modules/handshake/ofrep-flag.js';
import { storedPerson } from '../../../src/modules/ingest/cohorts/stored-person.js';
import { type CompiledFlag, compileFlags, evaluateFlag } from '../../../src/targeting/flags/compiled-flag.js';
import { compileRules, decideRules } from '../../../src/targeting/rules/compile-rules.js';
import { Subject } from '../../../src/targeting/subject.js';

/** Decisions as they would be without any cache: everything about the person is read, and each flag is decided by itself. */
export interface PlainDecisions {
  /** The consolidated answer, without its tags. */
  readonly handshake: object;
  /** The answer of OpenFeature's remote evaluation. */
  readonly ofrep: object;
}

/** Reads everything and decides for a caller without shortcuts. */
export async function plainDecisions(
  pool: Pool,
  place: ProjectEnvironment,
): Promise<(caller: DecisionCaller, now: number) => Promise<PlainDecisions>> {
  const { projectId, environment } = place;
  const sources = databaseSources(pool);
  const [disabled, storedFlags, storedItems, release, sampleRate] = await Promise.all([
    sources.disabledModules(place),
    sources.flags(place),
    sources.items(place),
    sources.release(place),
    sources.sampleRate(place),
  ]);
  const on = (module: string) => !disabled.includes(module);
  const flags = on('switch') ? compileFlags(storedFlags).toSorted(byKey) : [];
  const items = on('config') ? storedItems.toSorted(byKey) : [];
  return async (caller, now) => {
    const person = await storedPerson(pool, projectId, environment, caller.distinctId || null);
    const subject = new Subject({ ...caller, ...person, now });
    const modules = {
      switch: { enabled: on('switch'), flags: Object.fromEntries(flags.map((flag) => decidedFlag(flag, subject))) },
      config: { enabled: on('config'), values: Object.fromEntries(items.map((item) => decidedItem(item, subject))) },
      deploy: { enabled: on('deploy'), release: on('deploy') ? release : null },
      catch: { enabled: on('catch'), sample_rate: on('catch') ? sampleRate : 0 },
      analytics: { enabled: on('analytics'), cohorts: on('analytics') ? [...subject.cohorts].sort() : [] },
    };
    return {
      handshake: { project_id: projectId, environment, modules },
      ofrep: { flags: flags.map((flag) => ofrepFlag(flag, subject)) },
    };
  };
}

function decidedFlag(flag: CompiledFlag, subject: Subject): [string, object] {
  const { value, variant, reason, version } = evaluateFlag(flag, subject);
  return [flag.key, { value, variant, reason, version }];
}

function decidedItem({ key, type, version, value, rule, rules }: ConfigDefinition, subject: Subject): [string, object] {
  const all = rulesOf(rules ?? null, rule);
  const outcomes = all.flatMap(({ value, split }) => (split?.length ? split.map((share) => share.value) : [value]));
  const outcome = decideRules(compileRules(all, key), subject);
  const text = outcome === 0 ? value : (outcomes[outcome - 1] as string);
  const typed = type === 'string' ? text : JSON.parse(text);
  return [key, { value: typed, type, version, reason: outcome === 0 ? 'default' : 'rule' }];
}

function byKey(left: { key: string }, right: { key: string }): number {
  return left.key < right.key ? -1 : 1;
}
