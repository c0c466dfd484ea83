import type { Static } from 'typebox';
import { objectOf } from '../../src/kernel/values/parse-json.js';
import type { ConfigRollback } from '../../src/modules/config/config.results.js';
import type { ConfigItem } from '../../src/modules/config/config-item.entity.js';
import type { ConfigRule } from '../../src/modules/config/config-rule.entity.js';
import type { ConfigVersion } from '../../src/modules/config/config-version.entity.js';
import type { Body } from '../body.js';
import type {
  ConfigItemSchema,
  ConfigRuleSchema,
  ConfigVersionSchema,
  RollbackAnswer,
  VersionsAnswer,
} from './schemas.js';

/** docs/rest.md, Remote config: the body of a rollback. A body of any other shape has no version. */
export function rollbackBody(body: Body): { versionId: string | undefined; note: string | null } {
  const object = objectOf(body);
  const versionId = object?.version_id;
  const note = object?.note;
  return {
    versionId: typeof versionId === 'string' && versionId !== '' ? versionId : undefined,
    note: typeof note === 'string' ? note : null,
  };
}

export const versionsAnswer = (versions: ConfigVersion[]): Static<typeof VersionsAnswer> => ({
  versions: versions.map(presentVersion),
});

export const rollbackAnswer = ({ item, version, rule }: ConfigRollback): Static<typeof RollbackAnswer> => ({
  item: presentItem(item),
  version: presentVersion(version),
  rule: rule && presentRule(rule),
});

const presentItem = (item: ConfigItem): Static<typeof ConfigItemSchema> => ({
  id: item.id,
  project_id: item.projectId,
  environment: item.environment,
  key: item.key,
  type: item.type,
  default_value: item.defaultValue,
  description: item.description,
  is_archived: item.isArchived,
  current_version: item.currentVersion,
  created_at: item.createdAt.toISOString(),
  updated_at: item.updatedAt.toISOString(),
});

const presentVersion = (version: ConfigVersion): Static<typeof ConfigVersionSchema> => ({
  id: version.id,
  item_id: version.itemId,
  version_number: version.versionNumber,
  action: version.action,
  value_snapshot: version.valueSnapshot,
  rule_snapshot: version.ruleSnapshot,
  actor_id: version.actorId,
  actor_email: version.actorEmail,
  note: version.note,
  created_at: version.createdAt.toISOString(),
});

const presentRule = (rule: ConfigRule): Static<typeof ConfigRuleSchema> => ({
  id: rule.id,
  item_id: rule.itemId,
  cohort: rule.cohort,
  value: rule.value,
  created_at: rule.createdAt.toISOString(),
  updated_at: rule.updatedAt.toISOString(),
});
