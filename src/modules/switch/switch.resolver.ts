import { GraphQLJSON } from 'graphql-scalars';
import { Arg, Args, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import { connectionOf, type Page } from '../../kernel/paging.js';
import { type BulkAnswer, bulkAnswerOf } from '../../kernel/refusal.js';
import { Operation, type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { EnvironmentType } from '../access/environment.js';
import { ListField, ProjectList } from '../access/graph/list-fields.js';
import { ReadsAlong } from '../access/graph/read-along.js';
import { IdsInput } from '../access/ids.inputs.js';
import { Project } from '../access/projects/project.entity.js';
import type { FlagExplainingService } from './evaluation/flag-explaining.service.js';
import { FlagExplanationType, FlagPrerequisiteType } from './flag.results.js';
import { Flag } from './flags/flag.entity.js';
import type { FlagService } from './flags/flag.service.js';
import { FLAG_VERSIONS, FlagListArgs, FlagVersionListArgs } from './flags/flag-lists.js';
import { flagNamed, needingFlagsLoader } from './flags/flag-loaders.js';
import { FlagVersion } from './flags/flag-version.entity.js';
import type { FlagHaltService } from './halting/flag-halt.service.js';
import { HaltPreview } from './halting/halt-preview.results.js';
import type { HaltPreviewService } from './halting/halt-preview.service.js';
import {
  CreateFlagInput,
  ExplainFlagArgs,
  FlagIdInput,
  HaltFlagInput,
  ResumeFlagInput,
  UpdateFlagInput,
} from './switch.inputs.js';

const FlagConnection = connectionOf(Flag, 'Flag');
const FlagBulkAnswer = bulkAnswerOf(Flag, 'Flag');
const FlagVersionConnection = connectionOf(FlagVersion, 'FlagVersion');

@Resolver(() => Flag)
export class SwitchResolver {
  constructor(
    private readonly flagService: FlagService,
    private readonly halts: FlagHaltService,
    private readonly explanations: FlagExplainingService,
    private readonly previews: HaltPreviewService,
  ) {}

  @Query(() => Flag)
  flag(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Flag> {
    return this.flagService.get(ctx, id);
  }

  @Query(() => Flag)
  flagByKey(
    @VerbContext() ctx: Context,
    @Arg('projectId', () => ID) projectId: string,
    @Arg('environment', () => EnvironmentType, { defaultValue: 'live' }) environment: Environment,
    @Arg('key') key: string,
  ): Promise<Flag> {
    return this.flagService.getByKey(ctx, projectId, environment, key);
  }

  @Query(() => FlagVersion, { description: 'A version of any flag by its id.' })
  flagVersion(
    @VerbContext() ctx: Context,
    @Arg('id', () => ID, { description: 'The id of the version.' }) id: string,
  ): Promise<FlagVersion> {
    return this.flagService.version(ctx, id);
  }

  @Query(() => FlagExplanationType, { description: 'Which rule decides for a person, and why.' })
  explainFlag(@VerbContext() ctx: Context, @Args() args: ExplainFlagArgs): Promise<FlagExplanationType> {
    return this.explanations.explain(ctx, args);
  }

  @Query(() => HaltPreview, { description: 'What halting a flag would change, and for how many persons.' })
  previewHalt(@VerbContext() ctx: Context, @Arg('flagId', () => ID) flagId: string): Promise<HaltPreview> {
    return this.previews.preview(ctx, flagId);
  }

  @FieldResolver(() => GraphQLJSON, { nullable: true, description: '`defaultValue` as JSON.' })
  value(@Root() { variants, defaultVariant }: Flag): unknown {
    return variants.find(({ key }) => key === defaultVariant)?.value;
  }

  @ReadsAlong(FLAG_VERSIONS, 'switch.flag.view')
  @ListField(() => FlagVersionConnection, FlagVersionListArgs, { description: 'Newest first.' })
  versions(operation: OperationContext, flag: Flag, args: ListArgs): Promise<Page<FlagVersion>> {
    return this.flagService.versions(operation, flag, args);
  }

  @FieldResolver(() => [String], { description: 'Keys of the active flags that depend on a variant of this one.' })
  neededBy(@Root() flag: Flag, @Operation() operation: OperationContext): Promise<string[]> {
    return needingFlagsLoader(operation).load(flag);
  }

  @FieldResolver(() => [Flag], { description: 'The active flags that depend on a variant of this one, by key.' })
  async neededByFlags(@Root() flag: Flag, @Operation() operation: OperationContext): Promise<Flag[]> {
    const keys = await needingFlagsLoader(operation).load(flag);
    const { projectId, environment } = flag;
    const flags = await Promise.all(keys.map((key) => flagNamed(operation, { projectId, environment, key })));
    return flags.filter((found) => found !== null);
  }

  @FieldResolver()
  prerequisites(@Root() { projectId, environment, prerequisites }: Flag): FlagPrerequisiteType[] {
    return prerequisites.map((prerequisite) => ({ ...prerequisite, projectId, environment }));
  }

  @Mutation(() => Flag)
  createFlag(@VerbContext() ctx: Context, @Arg('input') input: CreateFlagInput): Promise<Flag> {
    return this.flagService.create(ctx, input);
  }

  @Mutation(() => Flag)
  updateFlag(@VerbContext() ctx: Context, @Arg('input') input: UpdateFlagInput): Promise<Flag> {
    return this.flagService.update(ctx, input);
  }

  @Mutation(() => Flag, { description: 'Makes a flag serve its default until it is resumed.' })
  haltFlag(@VerbContext() ctx: Context, @Arg('input') input: HaltFlagInput): Promise<Flag> {
    return this.halts.halt(ctx, input);
  }

  @Mutation(() => Flag)
  resumeFlag(@VerbContext() ctx: Context, @Arg('input') input: ResumeFlagInput): Promise<Flag> {
    return this.halts.resume(ctx, input);
  }

  @Mutation(() => Flag)
  archiveFlag(@VerbContext() ctx: Context, @Arg('input') input: FlagIdInput): Promise<Flag> {
    return this.flagService.setArchived(ctx, input.flagId, true);
  }

  @Mutation(() => [FlagBulkAnswer], { description: 'In one transaction; rejected flags are reported one by one.' })
  archiveFlags(@VerbContext() ctx: Context, @Arg('input') { ids }: IdsInput): Promise<BulkAnswer<Flag>[]> {
    return this.flagService.archiveAll(ctx, ids);
  }

  @Mutation(() => Flag)
  unarchiveFlag(@VerbContext() ctx: Context, @Arg('input') input: FlagIdInput): Promise<Flag> {
    return this.flagService.setArchived(ctx, input.flagId, false);
  }
}

@Resolver(() => Project)
export class ProjectFlagsResolver {
  constructor(private readonly flagService: FlagService) {}

  @ProjectList(() => FlagConnection, FlagListArgs)
  flags(operation: OperationContext, projectId: string, args: FlagListArgs): Promise<Page<Flag>> {
    return this.flagService.list(operation, projectId, args);
  }
}

@Resolver(() => FlagPrerequisiteType)
export class FlagPrerequisiteFields {
  @FieldResolver(() => Flag, { nullable: true, description: 'The flag with that key.' })
  async flag(
    @Root() { projectId, environment, key }: FlagPrerequisiteType,
    @Operation() operation: OperationContext,
  ): Promise<Flag | null> {
    return projectId && environment ? flagNamed(operation, { projectId, environment, key }) : null;
  }
}
