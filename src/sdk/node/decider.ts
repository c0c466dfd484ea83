import { cohortsInRules } from '../../targeting/cohorts/cohorts-in-rules.js';
import { type CompiledCohort, compileCohort } from '../../targeting/cohorts/compiled-cohort.js';
import { Compilation } from '../../targeting/compilation.js';
import { type CompiledFlag, compileFlags, evaluateFlag, flagLacksBucket } from '../../targeting/flags/compiled-flag.js';
import { type OpenFeatureReason, openFeatureReason } from '../../targeting/flags/open-feature-reason.js';
import { compileItem, decideItem } from '../../targeting/items/compiled-item.js';
import { joinNeeds, type Needs } from '../../targeting/needs.js';
import type { CompiledRules } from '../../targeting/rules/compile-rules.js';
import type { Rule } from '../../targeting/rules/rule.js';
import type { Subject } from '../../targeting/subject.js';
import type { FlagDecision } from '../core/decisions.js';
import type { Json } from '../core/json.js';
import { cohortOf, type Definitions, flagOf, itemOf, valueOfText } from './definitions.js';

/** The decision of a flag for a context, and its reason. */
export interface FlagDetails extends FlagDecision {
  /** The reason as OpenFeature names it. */
  readonly openFeatureReason: OpenFeatureReason;
  /** A percentage or a split was reached, but the context lacks its bucketing attribute. */
  readonly lacksBucket: boolean;
}

/** The decision of a config item for a context, and its reason. */
export interface ConfigDetails {
  readonly value: Json;
  readonly version: number;
  readonly reason: 'default' | 'rule';
}

interface PreparedFlag {
  readonly compiled: CompiledFlag;
  readonly needs: Needs;
  /** The last decided value. */
  last: unknown;
}

interface PreparedItem {
  readonly decide: (subject: Subject) => number;
  readonly details: readonly ConfigDetails[];
  readonly needs: Needs;
}

/** Decides flags and config items from immutable definitions. Unknown keys give undefined. */
export class Decider {
  private readonly flags: ReadonlyMap<string, PreparedFlag>;
  private readonly items: ReadonlyMap<string, PreparedItem>;
  /** The cohorts that rules use, as far as this process knows them. */
  readonly cohorts: readonly CompiledCohort[];

  constructor(definitions: Definitions) {
    const compilation = new Compilation();
    const { cohorts } = definitions;
    this.cohorts = (cohorts ?? []).map((written) => compileCohort(cohortOf(written), compilation));
    const untold = new Set(cohorts?.filter(({ id_hashes }) => id_hashes === null).map(({ name }) => name));
    const needsOf = (rules: readonly Pick<Rule, 'conditions'>[], { needs }: CompiledRules): Needs => {
      if (!needs.cohorts) return needs;
      const names = cohortsInRules(rules);
      const asked = this.cohorts.filter(({ name }) => names === null || names.has(name));
      const { properties } = joinNeeds([needs, ...asked.map((cohort) => cohort.needs)]);
      return { properties, cohorts: cohorts === undefined || asked.some(({ name }) => untold.has(name)) };
    };
    const rulesOf = new Map(definitions.flags.map(({ key, rules }) => [key, rules]));
    const flags = compileFlags(definitions.flags.map(flagOf), compilation);
    this.flags = new Map(
      flags.map((compiled) => {
        const { key, rules } = compiled;
        return [key, { compiled, needs: needsOf(rulesOf.get(key) ?? [], rules), last: undefined }];
      }),
    );
    this.items = new Map(
      definitions.config.map((written): [string, PreparedItem] => {
        const item = compileItem(itemOf(written), compilation);
        const details = item.values.map(
          (text, outcome): ConfigDetails => ({
            value: valueOfText(written.type, text) as Json,
            version: written.version,
            reason: outcome === 0 ? 'default' : 'rule',
          }),
        );
        return [
          written.key,
          { decide: (subject) => decideItem(item, subject), details, needs: needsOf(written.rules, item.rules) },
        ];
      }),
    );
  }

  get flagKeys(): Iterable<string> {
    return this.flags.keys();
  }

  get itemKeys(): Iterable<string> {
    return this.items.keys();
  }

  flagValue(key: string, subject: Subject): unknown {
    const flag = this.flags.get(key);
    if (!flag) return undefined;
    flag.last = evaluateFlag(flag.compiled, subject).value;
    return flag.last;
  }

  /** The last decided value of each flag. */
  lastValues(): Record<string, Json> {
    const asked = [...this.flags].filter(([, { last }]) => last !== undefined);
    return Object.fromEntries(asked.map(([key, { last }]) => [key, last as Json]));
  }

  flagDetails(key: string, subject: Subject): FlagDetails | undefined {
    const flag = this.flags.get(key);
    if (!flag) return undefined;
    const { compiled } = flag;
    const decision = evaluateFlag(compiled, subject);
    flag.last = decision.value;
    const { variant, reason, version } = decision;
    return {
      value: decision.value as Json,
      variant,
      reason,
      version,
      openFeatureReason: openFeatureReason(compiled, decision),
      lacksBucket: flagLacksBucket(compiled, subject),
    };
  }

  config(key: string, subject: Subject): ConfigDetails | undefined {
    const item = this.items.get(key);
    return item?.details[item.decide(subject)];
  }

  /** Data that a flag's rules need and only the server stores, which the caller must put in the context; or null. */
  flagNeeds(key: string): Needs | null {
    return this.flags.get(key)?.needs ?? null;
  }

  itemNeeds(key: string): Needs | null {
    return this.items.get(key)?.needs ?? null;
  }
}
