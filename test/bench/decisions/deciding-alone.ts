import { flagSubject } from '../../../src/modules/switch/evaluation/flag-subject.js';
import { compileFlags, decideFlag } from '../../../src/targeting/flags/compiled-flag.js';
import type { FlagDefinition, FlagRule } from '../../../src/targeting/flags/flag-definition.js';
import { alternate } from '../../harness/rounds.js';
import { type BenchContext, type BenchRow, row } from '../bench.js';

/** Subjects per measurement. */
const SUBJECTS = 5_000;
const NOW = Date.UTC(2026, 10, 22);

/** Rules as written, without the fields that have defaults. */
type GivenRule = Partial<FlagRule> & Pick<FlagRule, 'variant'>;

/** CPU time of flag decisions alone, without a server: rich rules compared with simple ones. */
export async function decidingAlone(
  { rounds }: BenchContext,
  rules: { rich: readonly GivenRule[][]; old: readonly GivenRule[][] },
): Promise<BenchRow> {
  const results = await alternate(rounds, { rich: decider(rules.rich), old: decider(rules.old) });
  return row({
    path: `deciding ${rules.rich.length} flags × 5 rules for one person`,
    unit: 'µs of CPU',
    values: results.rich,
    peer: { what: `${rules.old.length} flags, a rule at most`, values: results.old },
  });
}

function decider(rules: readonly GivenRule[][]): () => Promise<number> {
  const flags = compileFlags(rules.map(flagOf));
  return async () => {
    const began = process.cpuUsage();
    for (let person = 0; person < SUBJECTS; person += 1) {
      const subject = flagSubject({
        distinctId: `user-${person}`,
        appVersion: '2.4.0',
        platform: 'ios',
        locale: 'de-DE',
        properties: new Map(Object.entries(propertiesOf(person))),
        now: NOW,
      });
      for (const flag of flags) decideFlag(flag, subject);
    }
    const { user, system } = process.cpuUsage(began);
    return (user + system) / SUBJECTS;
  };
}

/** The properties that rich rules look at, chosen so that almost no rule matches and all are tried. */
export function propertiesOf(person: number | string): Record<string, unknown> {
  return {
    plan: 'team',
    seats: 20,
    email: `user-${person}@example.org`,
    joined: '2026-08-01T10:00:00Z',
    team: `web-${person}`,
  };
}

function flagOf(rules: GivenRule[], index: number): FlagDefinition {
  return {
    key: `flag-${index}`,
    version: 1,
    variants: [
      { key: 'off', value: false },
      { key: 'on', value: true },
    ],
    defaultVariant: 'off',
    rules: rules.map((rule) => ({ conditions: [], percentage: 100, ...rule })),
    halted: false,
    archived: false,
  };
}
