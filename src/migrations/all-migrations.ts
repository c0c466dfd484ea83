import { GroundMigration } from './20261121000000-ground.js';
import { StoredDocumentsMigration } from './20261122160000-stored-documents.js';
import { PlanListsMigration } from './20261122192000-plan-lists.js';
import { AuditFiltersMigration } from './20261122200100-audit-filters.js';
import { ReleaseEdgesMigration } from './20261122220000-release-edges.js';
import { FilterListsMigration } from './20261123020000-filter-lists.js';
import { SurveyAndChangelogFiltersMigration } from './20261123030000-survey-and-changelog-filters.js';
import { AccountCredentialsMigration } from './access/20261122100000-account-credentials.js';
import { TokenParentsMigration } from './access/20261122110000-token-parents.js';
import { AccessListsMigration } from './access/20261122200000-access-lists.js';
import { EndedSessionsMigration } from './access/20261122210000-ended-sessions.js';
import { CatchMigration } from './catch/20261121000600-catch.js';
import { CrashSettingsMigration } from './catch/20261121080000-crash-settings.js';
import { ScriptNamesMigration } from './catch/20261122120000-script-names.js';
import { SymbolDetailMigration } from './catch/20261122180000-symbol-detail.js';
import { CrashListsMigration } from './catch/20261122200200-crash-lists.js';
import { SymbolUploadsMigration } from './catch/20261122220000-symbol-uploads.js';
import { SymbolChecksumsMigration } from './catch/20261122230000-symbol-checksums.js';
import { SymbolSourcesMigration } from './catch/20261122233000-symbol-sources.js';
import { IssueTriageMigration } from './catch/20261122235000-issue-triage.js';
import { IngestMigration } from './ingest/20261121030000-ingest.js';
import { AnalyticsMigration } from './ingest/20261121090000-analytics.js';
import { EventPropertiesMigration } from './ingest/20261121100000-event-properties.js';
import { PersonErasureMigration } from './ingest/20261122130000-person-erasure.js';
import { RequestBodiesMigration } from './ingest/20261122150000-request-bodies.js';
import { PersonChangesMigration } from './ingest/20261122210000-person-changes.js';
import { EventHoursMigration } from './ingest/20261122220000-event-hours.js';
import { CohortRulesMigration } from './ingest/20261122230000-cohort-rules.js';
import { ProfileBytesMigration } from './ingest/20261123000000-profile-bytes.js';
import type { MigrationClass } from './lock-timeout.js';
import { PulseMigration } from './pulse/20261121000500-pulse.js';
import { SurveyListsMigration } from './pulse/20261122191000-survey-lists.js';
import { ResponseCountsMigration } from './pulse/20261123010000-response-counts.js';
import { SwitchMigration } from './switch/20261121000400-switch.js';
import { ConfigRulesMigration } from './switch/20261122170000-config-rules.js';
import { PrerequisitesMigration } from './switch/20261122210000-prerequisites.js';
import { DecisionUsageMigration } from './switch/20261122220000-decision-usage.js';
import { DefinitionListsMigration } from './switch/20261123010000-definition-lists.js';
import { WebhooksMigration } from './webhooks/20261121070000-webhooks.js';
import { UndispatchedKindsMigration } from './webhooks/20261122070000-undispatched-kinds.js';
import { WebhookListsMigration } from './webhooks/20261122190000-webhook-lists.js';

/** Every migration, in the order in which they run; the names are recorded, so they never change. */
export const MIGRATIONS: { name: string; class: MigrationClass }[] = [
  { name: '20261121000000-ground', class: GroundMigration },
  { name: '20261121000400-switch', class: SwitchMigration },
  { name: '20261121000500-pulse', class: PulseMigration },
  { name: '20261121000600-catch', class: CatchMigration },
  { name: '20261121030000-ingest', class: IngestMigration },
  { name: '20261121070000-webhooks', class: WebhooksMigration },
  { name: '20261121080000-crash-settings', class: CrashSettingsMigration },
  { name: '20261121090000-analytics', class: AnalyticsMigration },
  { name: '20261121100000-event-properties', class: EventPropertiesMigration },
  { name: '20261122070000-undispatched-kinds', class: UndispatchedKindsMigration },
  { name: '20261122100000-account-credentials', class: AccountCredentialsMigration },
  { name: '20261122110000-token-parents', class: TokenParentsMigration },
  { name: '20261122120000-script-names', class: ScriptNamesMigration },
  { name: '20261122130000-person-erasure', class: PersonErasureMigration },
  { name: '20261122150000-request-bodies', class: RequestBodiesMigration },
  { name: '20261122160000-stored-documents', class: StoredDocumentsMigration },
  { name: '20261122170000-config-rules', class: ConfigRulesMigration },
  { name: '20261122180000-symbol-detail', class: SymbolDetailMigration },
  { name: '20261122190000-webhook-lists', class: WebhookListsMigration },
  { name: '20261122191000-survey-lists', class: SurveyListsMigration },
  { name: '20261122192000-plan-lists', class: PlanListsMigration },
  { name: '20261122200000-access-lists', class: AccessListsMigration },
  { name: '20261122200100-audit-filters', class: AuditFiltersMigration },
  { name: '20261122200200-crash-lists', class: CrashListsMigration },
  { name: '20261122210000-prerequisites', class: PrerequisitesMigration },
  { name: '20261122210000-person-changes', class: PersonChangesMigration },
  { name: '20261122220000-symbol-uploads', class: SymbolUploadsMigration },
  { name: '20261122210000-ended-sessions', class: EndedSessionsMigration },
  { name: '20261122220000-release-edges', class: ReleaseEdgesMigration },
  { name: '20261122220000-decision-usage', class: DecisionUsageMigration },
  { name: '20261122230000-symbol-checksums', class: SymbolChecksumsMigration },
  { name: '20261122220000-event-hours', class: EventHoursMigration },
  { name: '20261122230000-cohort-rules', class: CohortRulesMigration },
  { name: '20261123000000-profile-bytes', class: ProfileBytesMigration },
  { name: '20261123010000-response-counts', class: ResponseCountsMigration },
  { name: '20261123010000-definition-lists', class: DefinitionListsMigration },
  { name: '20261122233000-symbol-sources', class: SymbolSourcesMigration },
  { name: '20261122235000-issue-triage', class: IssueTriageMigration },
  { name: '20261123020000-filter-lists', class: FilterListsMigration },
  { name: '20261123030000-survey-and-changelog-filters', class: SurveyAndChangelogFiltersMigration },
];

/** The names of all migrations. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);
