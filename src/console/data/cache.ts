import { type Cache, cacheExchange, type Entity, type FieldArgs, type UpdateResolver } from '@urql/exchange-graphcache';
import { LISTS_CHANGED } from './lists-changed.js';

/** Types without an id of their own lie inside their owner. */
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
 * Everything that was read under one of these names is asked for again when somebody looks, but for what the answer has just brought along: were
 * the newest version of its object missing, the page would show how the object was before until it was asked for again.
 */
function forget(cache: Cache, fields: readonly string[], answer: unknown): void {
  const fresh = wholesIn(answer).map((whole) => cache.keyOfEntity(whole));
  for (const { key, field, args } of placesOf(cache, new Set(fields)))
    if (!(fresh.includes(key) && args?.first === 1)) cache.invalidate(key, field, args);
}

/** The object that a mutation answers, by itself or in a field, where its newest version comes along. */
function wholesIn(answer: unknown): Exclude<Entity, string | null | undefined>[] {
  if (typeof answer !== 'object' || answer === null) return [];
  return [answer, ...Object.values(answer)].filter((one) => one?.latest);
}

interface Place {
  key: string;
  field: string;
  args: FieldArgs;
}

/** The lists of these names at the root and in the objects that the root leads to. */
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

/** Objects by type and id: what one page has changed, the others show. Lists that a mutation lengthens or shortens are asked for again. */
export const cache = cacheExchange({
  keys: Object.fromEntries(EMBEDDED.map((name) => [name, embedded])),
  resolvers: { Query: { crashEvent: (_, { id }) => ({ __typename: 'CrashEvent', id: String(id) }) } },
  updates: { Mutation: updates },
});
