import type { Context } from '../../../kernel/context.js';
import { rulesWithoutEmails } from '../../../kernel/targeting/conditions-without-emails.js';
import { explainedFacts, type PersonLookup } from '../../../kernel/targeting/person-lookup.js';
import { hasEmailIn } from '../../../kernel/values/email-redaction.js';
import type { FlagDefinition } from '../../../targeting/flags/flag-definition.js';

import { hasRole, permit } from '../../access/guard.js';
import type { Flag } from '../flags/flag.entity.js';
import type { FlagService } from '../flags/flag.service.js';
import type { ExplainFlagArgs } from '../switch.inputs.js';
import { explainFlag, type FlagExplanation } from './flag-explanation.js';
import { flagSubject } from './flag-subject.js';

export class FlagExplainingService {
  constructor(
    private readonly flags: FlagService,
    private readonly personOf: PersonLookup,
  ) {}

  /**
   * Explains the flag's decision for a person, or for someone described by the request. Below Editor the request can't contain email
   * addresses, and those in conditions or checked by them aren't shown. Fails with `flag_not_found`, `permission_denied`.
   */
  async explain(ctx: Context, request: ExplainFlagArgs): Promise<FlagExplanation> {
    const flag = await this.flags.rows.get(ctx, 'switch.flag.view', request.flagId);
    if (hasEmailIn(request)) await permit(ctx, 'person.search', flag.projectId);
    const stored = await this.personOf(flag.projectId, flag.environment, request.distinctId || null);
    const subject = flagSubject(explainedFacts(request, stored, ctx.now()));
    const others = await this.flags.flagsNeededFor(ctx, [flag]);
    const explanation = explainFlag(definitionOf(flag), subject, others.map(definitionOf));
    return (await hasRole(ctx, flag.projectId, 'editor')) ? explanation : redacted(explanation);
  }
}

function redacted({ rules, prerequisites, ...explanation }: FlagExplanation): FlagExplanation {
  return {
    ...explanation,
    rules: rulesWithoutEmails(rules),
    prerequisites: prerequisites.map((needed) => ({
      ...needed,
      explanation: needed.explanation && redacted(needed.explanation),
    })),
  };
}

export function definitionOf(flag: Flag): FlagDefinition {
  const { key, currentVersion: version, variants, defaultVariant, rules, prerequisites } = flag;
  const { haltedAt, isArchived: archived } = flag;
  return { key, version, variants, defaultVariant, rules, prerequisites, halted: haltedAt !== null, archived };
}
