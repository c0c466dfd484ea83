import { PinnedFetch } from '../kernel/outbound/pinned-fetch.js';
import { AddressGuard } from '../kernel/outbound/target-address.js';
import { systemResolver } from '../kernel/outbound/target-resolution.js';
import { AlertRuleService } from '../modules/catch/alerts/alert-rule.service.js';
import { CrashChangesResolver } from '../modules/catch/crashes/crash-changes.resolver.js';
import { CrashEventFields } from '../modules/catch/crashes/crash-event-fields.resolver.js';
import { AlertRuleFields, CrashIssueFields } from '../modules/catch/crashes/crash-fields.resolver.js';
import { CrashIngestService } from '../modules/catch/crashes/crash-ingest.service.js';
import { CrashIssueService } from '../modules/catch/crashes/crash-issue.service.js';
import { CrashRetentionService } from '../modules/catch/crashes/crash-retention.service.js';
import { CrashSettingsService } from '../modules/catch/crashes/crash-settings.service.js';
import { CrashSymbolicationService } from '../modules/catch/crashes/crash-symbolication.service.js';
import { CrashesResolver } from '../modules/catch/crashes/crashes.resolver.js';
import { MissingCounts } from '../modules/catch/crashes/missing-counts.js';
import { CrashReader } from '../modules/catch/crashes/reading/crash-reader.js';
import { IssueTriageResolver } from '../modules/catch/issues/issue-triage.resolver.js';
import { IssueTriageService } from '../modules/catch/issues/issue-triage.service.js';
import { CrashProfileService } from '../modules/catch/profiles/crash-profile.service.js';
import { CrashProfilesResolver, ProjectProfilesResolver } from '../modules/catch/profiles/crash-profiles.resolver.js';
import { ProfileUpkeep } from '../modules/catch/profiles/profile-upkeep.js';
import { SymbolFetchService } from '../modules/catch/sources/symbol-fetch.service.js';
import { SymbolSourceService } from '../modules/catch/sources/symbol-source.service.js';
import { SymbolSourcesResolver } from '../modules/catch/sources/symbol-sources.resolver.js';
import { ResumableUploadResolver } from '../modules/catch/symbols/resumable/resumable-upload.resolver.js';
import { ResumableUploadService } from '../modules/catch/symbols/resumable/resumable-upload.service.js';
import { SymbolArtifactService } from '../modules/catch/symbols/symbol-artifact.service.js';
import { SymbolChangesResolver } from '../modules/catch/symbols/symbol-changes.resolver.js';
import { SymbolCleanupService } from '../modules/catch/symbols/symbol-cleanup.service.js';
import { SymbolConversionService } from '../modules/catch/symbols/symbol-conversion.service.js';
import { SymbolUploadService } from '../modules/catch/symbols/symbol-upload.service.js';
import { ProjectSymbolsResolver, SymbolsResolver } from '../modules/catch/symbols/symbols.resolver.js';
import type { Composed, Parts } from './parts.js';

export function composeCatch({ env, pool, tx, jobs, clock, logger, events, quotas, objects }: Parts) {
  const symbolArtifacts = new SymbolArtifactService(objects, events, logger);
  const symbolConversion = new SymbolConversionService({
    tx,
    objects,
    jobs,
    logger,
    maxFileBytes: env.maxSymbolFileBytes,
  });
  const guard = new AddressGuard(env.webhookAllowedNetworks);
  const client = new PinnedFetch(guard, systemResolver());
  const symbolCleanup = new SymbolCleanupService({ tx, objects, jobs, artifacts: symbolArtifacts });
  const symbolUploads = new SymbolUploadService({
    tx,
    objects,
    events,
    quotas,
    jobs,
    maxFileBytes: env.maxSymbolFileBytes,
  });
  const crashReader = new CrashReader();
  const symbolFetches = new SymbolFetchService({
    tx,
    objects,
    jobs,
    uploads: symbolUploads,
    client,
    logger,
    maxFileBytes: env.maxSymbolFileBytes,
    timeoutMs: env.symbolSourceTimeoutMs,
  });
  const crashSymbolication = new CrashSymbolicationService({
    tx,
    objects,
    jobs,
    events,
    logger,
    fetches: symbolFetches,
  });
  const profileUpkeep = new ProfileUpkeep(tx, jobs, objects, logger);
  const services = {
    symbolArtifacts,
    symbolUploads,
    resumableUploads: new ResumableUploadService({ tx, objects, uploads: symbolUploads }),
    symbolConversion,
    symbolCleanup,
    symbolSources: new SymbolSourceService(events, jobs, guard, client),
    symbolFetches,
    crashIngestion: new CrashIngestService(tx, jobs, objects, crashReader, profileUpkeep),
    crashSymbolication,
    crashIssues: new CrashIssueService(events, jobs),
    issueTriage: new IssueTriageService(events),
    alertRules: new AlertRuleService(events),
    crashProfiles: new CrashProfileService(objects),
    crashSettings: new CrashSettingsService(events),
    crashRetention: new CrashRetentionService(pool, objects, logger),
    missingCounts: new MissingCounts(tx, logger),
  };
  return {
    services,
    resolvers: [
      new SymbolsResolver(services.symbolArtifacts, services.symbolUploads),
      new ProjectSymbolsResolver(services.symbolArtifacts),
      new ResumableUploadResolver(services.resumableUploads),
      new SymbolSourcesResolver(services.symbolSources),
      new SymbolChangesResolver(services.symbolArtifacts),
      new CrashChangesResolver(services.crashIssues, services.alertRules),
      new CrashesResolver(services.crashIssues, services.alertRules, services.crashSettings),
      new IssueTriageResolver(services.issueTriage),
      new CrashProfilesResolver(services.crashProfiles),
      new ProjectProfilesResolver(services.crashProfiles),
      new CrashEventFields(),
      new CrashIssueFields(services.crashIssues),
      new AlertRuleFields(services.alertRules),
    ],
    reactions: [
      {
        name: 'purge symbols of deleted releases',
        matches: (kind) => kind === 'deploy.release.deleted',
        react: async (ctx, stored) => {
          for (const { projectId, environment, data, createdAt } of stored) {
            if (!projectId || !environment) continue;
            const deletedAt = createdAt.toISOString();
            await symbolCleanup.releaseDeleted(ctx, {
              projectId,
              environment,
              deletedAt,
              release: String(data.version),
            });
          }
        },
      },
    ],
    jobHandlers: {
      'catch.convert_symbols': ({ artifactId }) => symbolConversion.convert(artifactId),
      'catch.fetch_symbols': ({ projectId, environment, images }, signal) =>
        symbolFetches.fetch(projectId, environment, images, signal),
      'catch.symbolicate_events': ({ projectId, environment }, signal) =>
        crashSymbolication.run(projectId, environment, signal),
      'catch.purge_release': (release) => symbolCleanup.purgeRelease(release),
      'catch.delete_expired_uploads': () => services.resumableUploads.deleteExpired(),
      'catch.sweep_objects': async () => {
        // If the sweep fails, for example because the store is down, files are still read.
        try {
          await symbolCleanup.sweepObjects(clock.now());
        } finally {
          await symbolConversion.convertForgotten(clock.now());
        }
      },
      'catch.delete_expired': (_none, signal) => services.crashRetention.deleteExpired(clock.now(), signal),
      'catch.delete_old_profiles': (place, signal) => profileUpkeep.deleteOld(place, signal),
      'catch.count_missing': (_none, signal) => services.missingCounts.count(clock.now(), signal),
      'catch.keep_partitions': () => symbolCleanup.keepPartitions(clock.now()),
    },
    close: async () => {
      await crashReader.close();
      await crashSymbolication.close();
      await client.close();
    },
  } satisfies Composed<typeof services>;
}
