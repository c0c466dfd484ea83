import 'reflect-metadata';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type { Env } from './env.js';
import { StoredEvent } from './events/stored-event.entity.js';
import { dropLostConnections } from './kernel/database/lost-connections.js';
import { BoundedClient } from './kernel/database/reading-budget.js';
import { sqlLiteral } from './kernel/database/sql-literal.js';
import type { Logger } from './kernel/logger.js';
import { tracedClient } from './kernel/tracing/traced-database.js';
import type { Tracer } from './kernel/tracing/tracer.js';
import { MIGRATION_OPTIONS } from './migrations/migration-options.js';
import { ApiToken } from './modules/access/keys/api-token.entity.js';
import { DeployToken } from './modules/access/keys/deploy-token.entity.js';
import { ProjectKey } from './modules/access/keys/project-key.entity.js';
import { EndedSession } from './modules/access/people/ended-session.entity.js';
import { Membership } from './modules/access/people/membership.entity.js';
import { ProjectRole } from './modules/access/people/project-role.entity.js';
import { User } from './modules/access/people/user.entity.js';
import { Organization } from './modules/access/projects/organization.entity.js';
import { Project } from './modules/access/projects/project.entity.js';
import { AlertFiring } from './modules/catch/alerts/alert-firing.entity.js';
import { AlertRule } from './modules/catch/alerts/alert-rule.entity.js';
import { CrashEvent } from './modules/catch/crashes/crash-event.entity.js';
import { CrashSettings } from './modules/catch/crashes/crash-settings.entity.js';
import { CrashIssue } from './modules/catch/issues/crash-issue.entity.js';
import { CrashProfile } from './modules/catch/profiles/crash-profile.entity.js';
import { SymbolSource } from './modules/catch/sources/symbol-source.entity.js';
import { SymbolUpload } from './modules/catch/symbols/resumable/symbol-upload.entity.js';
import { SymbolUploadPart } from './modules/catch/symbols/resumable/symbol-upload-part.entity.js';
import { SymbolArtifact } from './modules/catch/symbols/symbol-artifact.entity.js';
import { SymbolTableRow } from './modules/catch/symbols/symbol-table.entity.js';
import { ChangelogEntry } from './modules/changelog/changelog-entry.entity.js';
import { ConfigItem } from './modules/config/config-item.entity.js';
import { ConfigRule } from './modules/config/config-rule.entity.js';
import { ConfigVersion } from './modules/config/config-version.entity.js';
import { Release } from './modules/deploy/release.entity.js';
import { StoredDocument } from './modules/documents/stored-document.entity.js';
import { Cohort } from './modules/ingest/cohorts/cohort.entity.js';
import { Person } from './modules/ingest/people/person.entity.js';
import { PersonMerge } from './modules/ingest/people/person-merge.entity.js';
import { IngestionWarning } from './modules/ingest/warnings/ingestion-warning.entity.js';
import { Board } from './modules/plan/board.entity.js';
import { Ticket } from './modules/plan/ticket.entity.js';
import { TriageRule } from './modules/plan/triage-rule.entity.js';
import { SurveyPartial } from './modules/pulse/responses/survey-partial.entity.js';
import { SurveyResponse } from './modules/pulse/responses/survey-response.entity.js';
import { Survey } from './modules/pulse/surveys/survey.entity.js';
import { SurveyAnswer } from './modules/pulse/surveys/survey-answer.entity.js';
import { SurveyCatalogueRevision } from './modules/pulse/surveys/survey-catalogue.entity.js';
import { SurveyDistribution } from './modules/pulse/surveys/survey-distribution.entity.js';
import { SurveyQuestion } from './modules/pulse/surveys/survey-question.entity.js';
import { SurveyVersion } from './modules/pulse/surveys/survey-version.entity.js';
import { ProjectPlan } from './modules/quotas/project-plan.entity.js';
import { QuotaUsage } from './modules/quotas/quota-usage.entity.js';
import { Flag } from './modules/switch/flags/flag.entity.js';
import { FlagVersion } from './modules/switch/flags/flag-version.entity.js';
import { DeadLetter } from './modules/webhooks/subscriptions/dead-letter.entity.js';
import { WebhookSubscription } from './modules/webhooks/subscriptions/webhook-subscription.entity.js';

const ENTITIES = [
  StoredEvent,
  Organization,
  User,
  EndedSession,
  Membership,
  Project,
  ProjectRole,
  ProjectKey,
  DeployToken,
  ApiToken,
  ProjectPlan,
  QuotaUsage,
  ConfigItem,
  ConfigRule,
  ConfigVersion,
  Release,
  ChangelogEntry,
  WebhookSubscription,
  DeadLetter,
  Person,
  PersonMerge,
  Cohort,
  IngestionWarning,
  SymbolArtifact,
  SymbolSource,
  SymbolTableRow,
  SymbolUpload,
  SymbolUploadPart,
  CrashIssue,
  CrashEvent,
  AlertRule,
  AlertFiring,
  CrashSettings,
  CrashProfile,
  Flag,
  FlagVersion,
  Survey,
  SurveyQuestion,
  SurveyVersion,
  SurveyCatalogueRevision,
  SurveyDistribution,
  SurveyResponse,
  SurveyAnswer,
  SurveyPartial,
  Board,
  TriageRule,
  Ticket,
  StoredDocument,
];

/** Tables owned by hot paths: they are read and written only in SQL, so they have no entity. */
export const TABLES_WITHOUT_ENTITY: (string | RegExp)[] = [
  'webhook_queue',
  'webhook_worker',
  'webhook_attempt',
  /^webhook_attempt_/,
  /^crash_event/,
  'symbol_source_answer',
  'crash_profile',
  'alert_firing',
  'event',
  /^event_\d{4}_\d{2}$/,
  'person_id',
  'decision_usage',
  'decision_use',
  'person_change',
  'person_erasure',
  'ingest_request_key',
  'ingest_insert_id',
  'survey_count',
  'survey_response_uncounted',
  /^crash_missing_/,
  'event_hour',
  'event_hours',
  'event_hour_note',
  'session_hour',
  'crashed_session',
  'analytics_copy',
  'analytics_addition',
  'analytics_erasure',
];

/** Opens the ORM; connections are made on demand. */
export async function openOrm(
  databaseUrl: string,
  { databasePool, databasePatienceMs }: Pick<Env, 'databasePool' | 'databasePatienceMs'>,
  logger: Logger,
  tracer?: Tracer,
): Promise<MikroORM> {
  const options: Options = {
    clientUrl: databaseUrl,
    entities: ENTITIES,
    extensions: [Migrator],
    metadataProvider: ReflectMetadataProvider,
    metadataCache: { enabled: false },
    forceUtcTimezone: true,
    pool: { min: 0, max: databasePool, idleTimeoutMillis: 30_000 },
    driverOptions: {
      connectionTimeoutMillis: databasePatienceMs,
      keepAlive: true,
      Client: tracer ? tracedClient(tracer) : BoundedClient,
      onPoolCreated: dropLostConnections,
    },
    migrations: MIGRATION_OPTIONS,
    schemaGenerator: {
      ignoreSchema: ['pgboss'],
      skipTables: ['schema_migration', ...TABLES_WITHOUT_ENTITY],
      disableForeignKeys: false,
    },
    logger: (message) => logger.debug(message),
  };
  const orm = await MikroORM.init(options);
  // The ORM inlines values into its statements, and its own escaping is character by character: 100 ms for a megabyte.
  Object.assign(orm.em.getPlatform(), { escapeLiteral: sqlLiteral });
  return orm;
}
