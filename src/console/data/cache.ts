import { type Cache, cacheExchange, type Entity, type FieldArgs, type UpdateResolver } from '@urql/exchange-graphcache';
import { LISTS_CHANGED } from './lists-changed.js';

/** Types without an id, embedded in their owner. */
const embedded = () => null;

const EMBEDDED = [
  'AlertFiring',
  'AlertRuleTest',
  'AnswerShare',
  'BegunSymbolUpload',
  'BranchingRule',
  'CohortCondition',
  'CohortRule',
  'ConfigCondition',
  'ConfigConditionExplanation',
  'ConfigExplanation',
  'ConfigRollbackPreview',
  'ConfigRuleExplanation',
  'ConfigRuleValue',
  'ConfigShare',
  'ConfigTargetingRule',
  'CookieSession',
  'CrashFrame',
  'CrashFreeDay',
  'CrashFreeRelease',
  'CrashFreeSessions',
  'CrashFrameContext',
  'CrashIssueActivity',
  'CrashSettings',
  'EventBreakdown',
  'EventBreakdownValue',
  'EventCount',
  'EventCounts',
  'EventKindDescription',
  'FlagCondition',
  'FlagConditionExplanation',
  'FlagDecision',
  'FlagExplanation',
  'FlagPrerequisite',
  'FlagRule',
  'FlagRuleExplanation',
  'FlagShare',
  'FlagsUsage',
  'FlagUsage',
  'FlagVariant',
  'FlagVariantUsage',
  'MeterUsage',
  'MissingSymbols',
  'NpsSummary',
  'PageInfo',
  'PlanOverrides',
  'ProjectRole',
  'ProjectUsage',
  'Staleness',
  'SurveyQuestion',
  'SurveyQuestionResults',
  'SurveyRespondent',
  'SurveyResponseAnswer',
  'SurveyResults',
  'SurveyResultsDay',
  'SurveyTheme',
  'SymbolSourceTest',
  'SymbolUploadPartProgress',
  'TargetingRule',
  'Viewer',
  'WebhookAttempt',
  'WebhookRequest',
];

/**
 * Invalidates everything read under one of these names, except what the answer just returned: otherwise the page
 * would show the old version of that object until the refetch.
 */
function forget(cache: Cache, fields: readonly string[], answer: unknown): void {
  const fresh = wholesIn(answer).map((whole) => cache.keyOfEntity(whole));
  for (const { key, field, args } of placesOf(cache, new Set(fields)))
    if (!(fresh.includes(key) && args?.first === 1)) cache.invalidate(key, field, args);
}

/** The object that a mutation returns, directly or in a field, in its newest version. */
function wholesIn(answer: unknown): Exclude<Entity, string | null | undefined>[] {
  if (typeof answer !== 'object' || answer === null) return [];
  return [answer, ...Object.values(answer)].filter((one) => one?.latest);
}

interface Place {
  key: string;
  field: string;
  args: FieldArgs;
}

/** The lists with these names, at the root and in objects directly below it. */
function placesOf(cache: Cache, names: ReadonlySet<string>): Place[] {
  const roots = cache.inspectFields('Query').flatMap(({ fieldName, arguments: args }) => {
    const found = cache.resolve('Query', fieldName, args ?? undefined);
    return typeof found === 'string' ? [found] : [];
  });
  return ['Query', ...new Set(roots)].flatMap((key) =>
    cache
      .inspectFields(key)
      .filter(({ fieldName }) => names.has(fieldName))
      .map(({ fieldName, arguments: args }) => ({ key, field: fieldName, args: args as Place['args'] })),
  );
}

const updates: Record<string, UpdateResolver> = Object.fromEntries(
  Object.entries(LISTS_CHANGED).map(([mutation, lists]) => [
    mutation,
    (result: Record<string, unknown>, _args: unknown, cache: Cache) => forget(cache, lists, result[mutation]),
  ]),
);

/**
 * Normalizes objects by type and id, so a change on one page shows on the others. Refetches lists that a mutation
 * adds to or removes from.
 */
export const cache = cacheExchange({
  keys: Object.fromEntries(EMBEDDED.map((name) => [name, embedded])),
  resolvers: { Query: { crashEvent: (_, { id }) => ({ __typename: 'CrashEvent', id: String(id) }) } },
  updates: { Mutation: updates },
});
