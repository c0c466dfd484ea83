import { FieldResolver, Resolver, Root } from 'type-graphql';
import { Operation, type OperationContext } from '../../kernel/verb-context.js';
import { MissingSymbols } from '../catch/catch.results.js';
import { CrashEvent } from '../catch/crashes/crash-event.entity.js';
import { CrashIssue } from '../catch/issues/crash-issue.entity.js';
import { SymbolArtifact } from '../catch/symbols/symbol-artifact.entity.js';
import { Release } from '../deploy/release.entity.js';
import { releaseOf } from '../deploy/release-loaders.js';
import { CrashFreeRelease } from './crash-free-sessions.types.js';

const NAMED = {
  nullable: true,
  description: 'The release with this version, if the project and environment have one.',
};

@Resolver(() => CrashEvent)
export class CrashEventRelease {
  @FieldResolver(() => Release, NAMED)
  releaseNode(@Root() event: CrashEvent, @Operation() operation: OperationContext): Promise<Release | null> {
    return releaseOf(operation, event, event.release);
  }
}

@Resolver(() => CrashIssue)
export class CrashIssueReleases {
  @FieldResolver(() => Release, NAMED)
  firstReleaseNode(@Root() issue: CrashIssue, @Operation() operation: OperationContext): Promise<Release | null> {
    return releaseOf(operation, issue, issue.firstRelease);
  }

  @FieldResolver(() => Release, NAMED)
  lastReleaseNode(@Root() issue: CrashIssue, @Operation() operation: OperationContext): Promise<Release | null> {
    return releaseOf(operation, issue, issue.lastRelease);
  }
}

@Resolver(() => SymbolArtifact)
export class SymbolArtifactRelease {
  @FieldResolver(() => Release, NAMED)
  releaseNode(@Root() artifact: SymbolArtifact, @Operation() operation: OperationContext): Promise<Release | null> {
    return releaseOf(operation, artifact, artifact.release);
  }
}

@Resolver(() => MissingSymbols)
export class MissingSymbolsRelease {
  @FieldResolver(() => Release, NAMED)
  releaseNode(@Root() missing: MissingSymbols, @Operation() operation: OperationContext): Promise<Release | null> {
    return releaseOf(operation, missing, missing.release);
  }
}

@Resolver(() => CrashFreeRelease)
export class CrashFreeReleaseNode {
  @FieldResolver(() => Release, NAMED)
  releaseNode(@Root() sessions: CrashFreeRelease, @Operation() operation: OperationContext): Promise<Release | null> {
    return releaseOf(operation, sessions, sessions.release);
  }
}
