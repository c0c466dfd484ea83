import { Arg, Extensions, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import { type Deletion, deletionOf } from '../../../kernel/node.js';
import type { Page } from '../../../kernel/paging.js';
import { type OperationContext, VerbContext } from '../../../kernel/verb-context.js';
import { ProjectList } from '../../access/graph/list-fields.js';
import { IdInput } from '../../access/ids.inputs.js';
import { Project } from '../../access/projects/project.entity.js';
import { SymbolSource } from './symbol-source.entity.js';
import type { SymbolSourceService } from './symbol-source.service.js';
import {
  CreateSymbolSourceInput,
  SymbolSourceConnection,
  SymbolSourceListArgs,
  SymbolSourceTest,
  UpdateSymbolSourceInput,
} from './symbol-source-list.js';

const DeletedSymbolSource = deletionOf('DeletedSymbolSource');

@Resolver(() => Project)
export class SymbolSourcesResolver {
  constructor(private readonly sources: SymbolSourceService) {}

  @ProjectList(() => SymbolSourceConnection, SymbolSourceListArgs, {
    nullable: true,
    field: 'Oldest first, the order in which they are used.',
    query: 'Oldest first, the order in which they are used.',
  })
  symbolSources(operation: OperationContext, projectId: string, args: ListArgs): Promise<Page<SymbolSource>> {
    return this.sources.list(operation, projectId, args);
  }

  @Query(() => SymbolSource)
  symbolSource(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<SymbolSource> {
    return this.sources.get(ctx, id);
  }

  @Mutation(() => SymbolSource, { description: 'Recent crashes with missing symbols are symbolicated again.' })
  createSymbolSource(@VerbContext() ctx: Context, @Arg('input') input: CreateSymbolSourceInput): Promise<SymbolSource> {
    return this.sources.create(ctx, input);
  }

  @Mutation(() => SymbolSource, { description: 'Changes the given fields; the layout stays.' })
  updateSymbolSource(@VerbContext() ctx: Context, @Arg('input') input: UpdateSymbolSourceInput): Promise<SymbolSource> {
    return this.sources.update(ctx, input);
  }

  @Mutation(() => SymbolSourceTest, {
    description: 'Requests a file that does not exist anywhere, and returns the response. Nothing is stored.',
  })
  @Extensions({ transaction: false })
  testSymbolSource(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<SymbolSourceTest> {
    return this.sources.test(ctx, input.id);
  }

  @Mutation(() => DeletedSymbolSource, { description: 'The files it provided stay.' })
  deleteSymbolSource(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Deletion> {
    return this.sources.delete(ctx, input.id);
  }
}
