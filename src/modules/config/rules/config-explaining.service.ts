import type { Context } from '../../../kernel/context.js';
import { rulesWithoutEmails } from '../../../kernel/targeting/conditions-without-emails.js';
import { explainedFacts, type PersonLookup } from '../../../kernel/targeting/person-lookup.js';
import { hasEmailIn } from '../../../kernel/values/email-redaction.js';
import { explainRules } from '../../../targeting/rules/explain-rules.js';
import { Subject } from '../../../targeting/subject.js';
import { hasRole, permit } from '../../access/guard.js';
import { type ConfigItemService, ruleValue } from '../config-item.service.js';
import { ConfigRule } from '../config-rule.entity.js';
import type { ConfigExplanation, ExplainConfigArgs } from './config-rule.types.js';
import { rulesOf } from './item-rule.js';
import { withJson } from './json-beside-text.js';

/** Explains which rule of an item decides a person's value, and why. */
export class ConfigExplainingService {
  constructor(
    private readonly items: ConfigItemService,
    private readonly personOf: PersonLookup,
  ) {}

  /**
   * Explains the item's value for a person, or for someone described by the request. Below Editor the request can't contain email
   * addresses, and those in conditions or checked by them aren't shown. Fails with `item_not_found`, `permission_denied`.
   */
  async explain(ctx: Context, request: ExplainConfigArgs): Promise<ConfigExplanation> {
    const item = await this.items.get(ctx, request.itemId);
    const stored = await ctx.em.findOne(ConfigRule, { itemId: item.id });
    if (hasEmailIn(request)) await permit(ctx, 'person.search', item.projectId);
    const person = await this.personOf(item.projectId, item.environment, request.distinctId || null);
    const subject = new Subject(explainedFacts(request, person, ctx.now()));
    const rules = rulesOf(item.furtherRules, stored && ruleValue(stored));
    const whole = explainRules(rules, item.key, subject);
    const shown = (await hasRole(ctx, item.projectId, 'editor')) ? whole : rulesWithoutEmails(whole);
    const explained = shown.map((explanation, index) => {
      const { value = null, split } = rules[index] ?? {};
      const shared = split && split.length > 1;
      const given = shared ? (split[explanation.share ?? -1]?.value ?? null) : value;
      return withJson(item.type, { ...explanation, value: given });
    });
    const decided = explained.find(({ applies }) => applies);
    const value = decided?.value ?? item.defaultValue;
    return withJson(item.type, { value, ruleIndex: decided?.index ?? null, rules: explained });
  }
}
