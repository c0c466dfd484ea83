import { Compilation } from '../../targeting/compilation.js';
import { type CompiledFlag, compileFlags, evaluateFlag, flagLacksBucket } from '../../targeting/flags/compiled-flag.js';
import { type OpenFeatureReason, openFeatureReason } from '../../targeting/flags/open-feature-reason.js';
import { compileItem, decideItem } from '../../targeting/items/compiled-item.js';
import type { Needs } from '../../targeting/needs.js';
import type { CompiledRules } from '../../targeting/rules/compile-rules.js';
import type { Subject } from '../../targeting/subject.js';
import type { FlagDecision } from '../core/decisions.js';
import type { Json } from '../core/json.js';
import { type Definitions, flagOf, itemOf, valueOfText } from './definitions.js';

/** What a flag is for somebody, and why. */
export interface FlagDetails extends FlagDecision {
  /** The reason in the words of OpenFeature. */
  readonly openFeatureReason: OpenFeatureReason;
  /** A percentage or a split stood open, but the context lacks what it is bucketed by. */
  readonly lacksBucket: boolean;
}

/** What a config item is for somebody, and why. */
export interface ConfigDetails {
  readonly value: Json;
  readonly version: number;
  readonly reason: 'default' | 'rule';
}

interface PreparedFlag {
  readonly compiled: CompiledFlag;
  /** The value that was decided last. */
  last: unknown;
}

interface PreparedItem {
  readonly decide: (subject: Subject) => number;
  readonly details: readonly ConfigDetails[];
  readonly needs: Needs;
}

/** Decides flags and config items from definitions that do not change. Unknown keys are undefined. */
export class Decider {
  private readonly flags: ReadonlyMap<string, PreparedFlag>;
  private readonly items: ReadonlyMap<string, PreparedItem>;

  constructor(definitions: Definitions) {
    const compilation = new Compilation();
    const flags = compileFlags(definitions.flags.map(flagOf), compilation);
    this.flags = new Map(flags.map((compiled) => [compiled.key, { compiled, last: undefined }]));
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
        return [written.key, { decide: (subject) => decideItem(item, subject), details, needs: needsOf(item.rules) }];
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

  /** The value that each flag had when it was last asked for. */
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

  /** What rules of a flag ask that only the server stores, or null: the caller must say it in the context. */
  flagNeeds(key: string): Needs | null {
    const flag = this.flags.get(key);
    return flag ? needsOf(flag.compiled.rules) : null;
  }

  itemNeeds(key: string): Needs | null {
    return this.items.get(key)?.needs ?? null;
  }
}

const needsOf = ({ needs }: CompiledRules): Needs => needs;
