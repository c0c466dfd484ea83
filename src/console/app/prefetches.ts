import {
  ConfigItemByKeyDocument,
  CrashIssueDocument,
  type Environment,
  FlagByKeyDocument,
  FlagUsageDocument,
  HookDocument,
  PersonDocument,
  ScopeDocument,
  ShellDocument,
  SurveyDocument,
} from '#documents';
import { warm } from '../data/warm.js';
import { usageSince } from '../flags/usage-since.js';
import { DAY_MS } from '../parts/charts/durations.js';

/** The parts of an address, by their names in the route table. */
export type RouteParams = Readonly<Record<string, string>> & { projectId: string; environment: Environment };

/** What every page of a project queries. */
export function prefetchScope({ projectId }: RouteParams): void {
  warm(ScopeDocument, { projectId });
  warm(ShellDocument, {});
}

/** The first queries of an object's pages, with their variables. They start before the page's script has loaded. */
export const PREFETCHES: Readonly<Record<string, (place: RouteParams) => void>> = {
  '/flags/$flagKey': ({ projectId, environment, flagKey: key = '' }) => {
    warm(FlagByKeyDocument, { projectId, environment, key });
    warm(FlagUsageDocument, { projectId, environment, key, ...usageSince(DAY_MS, 'hour') });
  },
  '/config/$itemKey': ({ projectId, environment, itemKey: key = '' }) =>
    warm(ConfigItemByKeyDocument, { projectId, environment, key }),
  '/surveys/$surveyId': ({ surveyId: id = '' }) => warm(SurveyDocument, { id }),
  '/crashes/$issueId': ({ issueId: id = '' }) => warm(CrashIssueDocument, { id }),
  '/people/$distinctId': ({ projectId, environment, distinctId = '' }) =>
    warm(PersonDocument, { projectId, environment, distinctId }),
  '/webhooks/$subscriptionId': ({ subscriptionId: id = '' }) => warm(HookDocument, { id }),
};
