import type { App } from '../app.js';
import type { Context } from '../kernel/context.js';

/** Ids and keys of the sample data, by their names in `first-run.json`. */
export interface Samples {
  config_item_id: string;
  flag_key: string;
  survey_id: string;
  survey_slug: string;
}

export async function createSamples(app: App, ctx: Context, projectId: string): Promise<Samples> {
  return {
    config_item_id: await sampleConfig(app, ctx, projectId),
    flag_key: await sampleFlags(app, ctx, projectId),
    ...(await sampleSurvey(app, ctx, projectId)),
  };
}

/** A config item with three versions. */
async function sampleConfig({ services }: App, ctx: Context, projectId: string): Promise<string> {
  const item = await services.configItems.create(ctx, {
    projectId,
    environment: 'live',
    key: 'checkout.max_items',
    type: 'int',
    value: '10',
    description: 'Maximum number of items in a basket.',
    note: 'first value',
  });
  await services.configItems.update(ctx, { id: item.id, value: '25', note: 'larger baskets' });
  await ctx.em.flush();
  await services.configItems.update(ctx, {
    id: item.id,
    rule: { cohort: 'beta', value: '50' },
    note: 'more for beta users',
  });
  await ctx.em.flush();
  return item.id;
}

/** A boolean flag that half of all persons see, and a flag with three variants. */
async function sampleFlags({ services }: App, ctx: Context, projectId: string): Promise<string> {
  const flag = await services.flags.create(ctx, {
    projectId,
    environment: 'live',
    key: 'new_checkout',
    description: 'The new checkout, for beta users and half of everyone else.',
    rules: [
      { conditions: [{ attribute: 'cohort', values: ['beta'] }], variant: 'on' },
      { percentage: 50, variant: 'on' },
    ],
  });
  await services.flags.create(ctx, {
    projectId,
    environment: 'live',
    key: 'button_color',
    kind: 'variant',
    description: 'Color of the buy button.',
    variants: [
      { key: 'blue', value: '#2563eb' },
      { key: 'green', value: '#16a34a' },
      { key: 'orange', value: '#ea580c' },
    ],
    defaultVariant: 'blue',
    rules: [{ conditions: [{ attribute: 'platform', values: ['web'] }], percentage: 20, variant: 'green' }],
  });
  return flag.key;
}

/** A published survey with a score question and a text question. */
async function sampleSurvey(
  { services }: App,
  ctx: Context,
  projectId: string,
): Promise<{ survey_id: string; survey_slug: string }> {
  const survey = await services.surveys.create(ctx, {
    projectId,
    name: 'How likely are you to recommend us?',
    description: 'Shown after an order, and to everyone on their third visit.',
    kind: 'nps',
    slug: 'recommend-us',
    questions: [
      { kind: 'nps', prompt: 'How likely are you to recommend us to a friend?', required: true, orderIndex: 0 },
      { kind: 'text', prompt: 'What is the main reason for your score?', orderIndex: 1, maxLength: 1_000 },
    ],
    targetingRules: [{ predicate: 'event:order completed' }, { predicate: 'session_count >= 3' }],
  });
  await ctx.em.flush();
  await services.surveyLifecycle.move(ctx, 'publish', survey.id);
  await ctx.em.flush();
  return { survey_id: survey.id, survey_slug: survey.slug };
}
