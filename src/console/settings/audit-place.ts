import type { Environment } from '#documents';
import { type Scope, scopePath } from '../data/scope.js';
import { nameOf } from './audit-words.js';

interface Changed {
  kind: string;
  objectType: string;
  objectId: string;
  data: unknown;
  inEnvironment: Environment | null;
  project?: { id: string } | null;
}

/** Where each type of object is: its own page, or the page that lists it. Flags and config items have their key in the address. */
const PLACES: Readonly<Record<string, (changed: Changed) => readonly (string | undefined)[]>> = {
  flag: ({ data }) => ['flags', nameOf(data)],
  config_item: ({ data }) => ['config', nameOf(data)],
  survey: ({ objectId }) => ['surveys', objectId],
  crash_issue: ({ objectId }) => ['crashes', objectId],
  webhook_subscription: ({ objectId }) => ['webhooks', objectId],
  board: ({ objectId }) => ['boards', objectId],
  ticket: ({ data }) => ['boards', (data as { board_id?: string }).board_id],
  cohort: () => ['events', 'cohorts'],
  alert_rule: () => ['crashes', 'alerts'],
  release: () => ['releases'],
  changelog_entry: () => ['releases'],
};

/** The address of the page with the changed object; null if it was deleted or no page shows it. */
export function pageOfChanged(scope: Scope, changed: Changed): string | null {
  const parts = changed.kind.endsWith('.deleted') ? undefined : PLACES[changed.objectType]?.(changed);
  if (!parts?.every((part) => part !== undefined)) return null;
  const projectId = changed.project?.id ?? scope.projectId;
  return scopePath({ projectId, environment: changed.inEnvironment ?? scope.environment }, ...parts);
}
