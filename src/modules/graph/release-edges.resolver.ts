import { Resolver } from 'type-graphql';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { ListField } from '../access/graph/list-fields.js';
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

  @ListField(() => SymbolArtifactConnection, PlainSymbolArtifactArgs, {
    nullable: true,
    description: 'Symbol files uploaded for it, newest first.',
  })
  symbols(operation: OperationContext, release: Release, args: ListArgs): Promise<Page<SymbolArtifact>> {
    return this.artifacts.ofRelease(operation, release, args);
  }

  @ListField(() => CrashEventConnection, PlainCrashEventArgs, {
    nullable: true,
    description: 'Its crashes, newest first.',
  })
  crashEvents(operation: OperationContext, release: Release, args: ListArgs): Promise<Page<CrashEvent>> {
    return this.issues.eventsOfRelease(operation, release, args);
  }
}
