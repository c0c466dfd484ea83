import type { Context } from '../../../kernel/context.js';
import { storableJson, storableText } from '../../../kernel/text.js';
import { inTurns } from '../../../kernel/turns/short-turns.js';
import { Compilation } from '../../../targeting/compilation.js';
import { type CompiledRules, compileRules, decideRules } from '../../../targeting/rules/compile-rules.js';
import { completeRules, type RuleDraft } from '../../../targeting/rules/complete-rule.js';
import type { Rule } from '../../../targeting/rules/rule.js';
import { ruleProblems } from '../../../targeting/rules/rule-problems.js';
import { Subject } from '../../../targeting/subject.js';
import { authorize } from '../../access/guard.js';
import { peopleFailure } from '../people.errors.js';
import type { AudienceSize, AudienceSizeArgs } from './audience.types.js';
import { filterOf } from './person-filter.js';
import type { PersonSample, PersonSamples, SampledPerson } from './person-sample.js';

/** Half-width in standard deviations of an interval that a normal variable leaves once in twenty times. */
const DEVIATIONS = 1.96;

export class AudienceService {
  constructor(private readonly samples: PersonSamples) {}

  /**
   * Counts the stored persons covered by rules. Persons that SQL can't rule out are checked by the evaluator itself: all of up to 5,000,
   * beyond that a sample, from which the numbers are estimated. For Editors, because counts can reveal properties. Fails with
   * `bad_audience`.
   */
  async size(ctx: Context, request: AudienceSizeArgs): Promise<AudienceSize> {
    const project = await authorize(ctx, 'person.search', request.projectId);
    const drafts = storableJson(request.rules) as RuleDraft[];
    const rules: Rule[] = completeRules(
      drafts.map((draft) => ({ ...draft, split: null })),
      [],
    );
    const problems = ruleProblems(rules);
    if (problems.length > 0) throw peopleFailure('bad_audience', { problems });
    const known = rules.map(withoutRequest);
    const filter = filterOf(known, (await this.samples.cohortsOf(project.id)).members);
    const sample = await this.samples.read(project.id, request.environment, filter);
    const salt = storableText(request.salt ?? '');
    const named = new Set(rules.flatMap(idsNamed));
    const compilation = new Compilation();
    const counts = await countCovered(
      known.map((rule) => compileRules([rule], salt, compilation)),
      sample.persons,
      (person) => new Subject({ ...person, distinctId: idOf(person, named), now: ctx.now().getTime() }),
    );
    const scale = counts.examined > 0 ? sample.candidates / counts.examined : 0;
    const isEstimate = !sample.isCounted || counts.examined < sample.candidates;
    return {
      persons: Math.round(counts.any * scale),
      total: sample.total,
      rules: counts.rules.map(({ covered, decided }) => ({
        covered: Math.round(covered * scale),
        decided: Math.round(decided * scale),
      })),
      isEstimate,
      margin: isEstimate ? Math.ceil(DEVIATIONS * deviationOf(counts, sample)) : 0,
      assumed: [...new Set(rules.flatMap(attributesOfRequest))].sort(),
    };
  }
}

interface Counts {
  examined: number;
  any: number;
  rules: { covered: number; decided: number }[];
}

async function countCovered(
  rules: readonly CompiledRules[],
  persons: readonly SampledPerson[],
  subjectOf: (person: SampledPerson) => Subject,
): Promise<Counts> {
  const counts = { any: 0, rules: rules.map(() => ({ covered: 0, decided: 0 })) };
  const examined = await inTurns(persons, (person) => {
    const subject = subjectOf(person);
    let isFirst = true;
    for (const [at, rule] of rules.entries()) {
      if (decideRules(rule, subject) === 0) continue;
      const count = counts.rules[at] as Counts['rules'][number];
      count.covered += 1;
      if (isFirst) {
        count.decided += 1;
        counts.any += 1;
      }
      isFirst = false;
    }
  });
  return { ...counts, examined };
}

/**
 * The standard deviation of an estimate from a sample: of the share among candidates, and of the number of candidates. Two more persons are
 * assumed to be covered and two not (A. Agresti, B. Coull, 1998), since a sample that is covered entirely or not at all doesn't prove that
 * everyone is or isn't.
 */
function deviationOf({ any, examined }: Counts, { candidates, part }: PersonSample): number {
  const share = (any + 2) / (examined + 4);
  const left = candidates > 1 ? (candidates - examined) / (candidates - 1) : 0;
  const ofShare = (candidates ** 2 * share * (1 - share) * Math.max(left, 0)) / (examined + 4);
  const ofCandidates = part < 1 ? (candidates * share ** 2 * (1 - part)) / part : 0;
  return Math.sqrt(ofShare + ofCandidates);
}

const REQUEST = /^(platform|app_version|os_version|locale|context\..*)$/s;

/** Attributes of a rule that are known only during a request. */
function attributesOfRequest({ conditions, bucketBy }: Rule): string[] {
  return [...conditions.map(({ attribute }) => attribute), ...(bucketBy ? [bucketBy] : [])].filter((attribute) =>
    REQUEST.test(attribute),
  );
}

/** A rule without request data; buckets of distinct ids stand in for those of its context. */
function withoutRequest({ bucketBy, ...rule }: Rule): Rule {
  return {
    ...rule,
    conditions: rule.conditions.filter(({ attribute }) => !REQUEST.test(attribute)),
    ...(bucketBy && !REQUEST.test(bucketBy) ? { bucketBy } : {}),
  };
}

function idsNamed({ conditions }: Rule): string[] {
  return conditions.flatMap(({ attribute, operator, values }) =>
    attribute === 'distinct_id' && (operator == null || operator === 'in') ? values.map(String) : [],
  );
}

/** The id that represents a person: one that the rules name, else the oldest. */
function idOf({ ids }: SampledPerson, named: ReadonlySet<string>): string | null {
  return ids.find((id) => named.has(id)) ?? ids[0] ?? null;
}
