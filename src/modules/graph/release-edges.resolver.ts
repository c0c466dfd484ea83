import { Args, FieldResolver, Resolver, Root } from 'type-graphql';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import { Operation, type OperationContext } from '../../kernel/verb-context.js';
import type { CrashEvent } from '../catch/crashes/crash-event.entity.js';
import type { CrashIssueService } from '../catch/crashes/crash-issue.service.js';
import { CrashEventConnection, PlainCrashEventArgs } from '../catch/crashes/crash-lists.js';
import { PlainSymbolArtifactArgs, SymbolArtifactConnection } from '../catch/symbols/artifact-list.js';
import type { SymbolArtifact } from '../catch/symbols/symbol-artifact.entity.js';
import type { SymbolArtifactService } from '../catch/symbols/symbol-artifact.service.js';
import { Release } from '../deploy/release.entity.js';

@Resolver(() => Release)
export class ReleaseCrashEdges {
  constructor(
    private readonly artifacts: SymbolArtifactService,
    private readonly issues: CrashIssueService,
  ) {}

  @FieldResolver(() => SymbolArtifactConnection, {
    nullable: true,
    description: 'Symbol files uploaded for it, newest first.',
  })
  symbols(
    @Operation() operation: OperationContext,
    @Root() release: Release,
    @Args(() => PlainSymbolArtifactArgs) args: ListArgs,
  ): Promise<Page<SymbolArtifact>> {
    return this.artifacts.ofRelease(operation, release, args);
  }

  @FieldResolver(() => CrashEventConnection, { nullable: true, description: 'Its crashes, newest first.' })
  crashEvents(
    @Operation() operation: OperationContext,
    @Root() release: Release,
    @Args(() => PlainCrashEventArgs) args: ListArgs,
  ): Promise<Page<CrashEvent>> {
    return this.issues.eventsOfRelease(operation, release, args);
  }
}
