import { LockMode } from '@mikro-orm/postgresql';
import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import type { Page } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { accessFailure } from '../access.errors.js';
import type { CreateProjectInput, UpdateProjectInput } from '../access.inputs.js';
import { pageOfOwner } from '../graph/list-edge.js';
import { authorize, authorizeOrganization, userOf } from '../guard.js';
import type { Operators } from '../operators.js';
import { isAddressPattern, isOriginPattern } from './origins.js';
import { Project } from './project.entity.js';
import { PROJECTS, type ProjectListArgs } from './project-list.js';
import { SWITCHABLE_MODULES } from './switchable-modules.js';

export class ProjectService {
  constructor(
    private readonly events: EventLog,
    private readonly operators: Operators,
  ) {}

  /** Projects of the caller's organization; a project-restricted token sees only its own. */
  async list(operation: OperationContext, args: ProjectListArgs): Promise<Page<Project>> {
    const { organizationId, projectId } = userOf(operation.current);
    return pageOfOwner(operation, PROJECTS, organizationId, args, projectId ? { id: projectId } : {});
  }

  async get(ctx: Context, id: string): Promise<Project> {
    return authorize(ctx, 'project.view', id);
  }

  async create(ctx: Context, input: CreateProjectInput): Promise<Project> {
    const actor = authorizeOrganization(ctx, 'project.create');
    const project = ctx.em.create(Project, {
      organizationId: actor.organizationId,
      name: storableText(input.name),
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    });
    this.events.emitChange(ctx, 'access.project.created', aboutProject(project), null, settingsOf(project));
    return project;
  }

  /**
   * Changes the given fields: `billingSuspended` only by operators of the installation, in any project. Fails with `project_not_found`,
   * `project_changed_meanwhile`, `operators_only`, `bad_origin`, `bad_address`, `unknown_module`.
   */
  async update(ctx: Context, input: UpdateProjectInput): Promise<Project> {
    const project = await this.authorizeUpdate(ctx, input);
    await ctx.em.refresh(project, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const { expectedUpdatedAt } = input;
    if (expectedUpdatedAt && expectedUpdatedAt.getTime() !== project.updatedAt.getTime())
      throw accessFailure('project_changed_meanwhile');
    const before = settingsOf(project);
    const origins = input.authorizedOrigins?.map((origin) => origin.trim().toLowerCase());
    const badOrigin = origins?.find((origin) => !isOriginPattern(origin));
    if (badOrigin !== undefined) throw accessFailure('bad_origin', { origin: badOrigin });
    const badAddress = input.authorizedAddresses?.find((address) => !isAddressPattern(address));
    if (badAddress !== undefined) throw accessFailure('bad_address', { address: badAddress });
    const modules = input.switchedOffModules ?? input.disabledModules;
    const badModule = modules?.find((module) => !(SWITCHABLE_MODULES as readonly string[]).includes(module));
    if (badModule !== undefined) throw accessFailure('unknown_module', { module: badModule });
    if (input.name) project.name = storableText(input.name);
    if (origins) project.authorizedOrigins = origins;
    if (input.authorizedAddresses) project.authorizedAddresses = input.authorizedAddresses;
    if (modules) project.disabledModules = [...new Set(modules)];
    if (typeof input.billingSuspended === 'boolean') project.billingSuspended = input.billingSuspended;
    project.updatedAt = ctx.nowAfter(project.updatedAt);
    this.events.emitChange(ctx, 'access.project.updated', aboutProject(project), before, settingsOf(project));
    return project;
  }

  private async authorizeUpdate(
    ctx: Context,
    { id, billingSuspended, expectedUpdatedAt: _, ...settings }: UpdateProjectInput,
  ): Promise<Project> {
    const suspended = billingSuspended == null ? null : await this.operators.authorize(ctx, id);
    if (suspended && Object.values(settings).every((setting) => setting == null)) return suspended;
    return authorize(ctx, 'project.update', id);
  }
}

function settingsOf(project: Project): object {
  const { name, authorizedOrigins, authorizedAddresses, disabledModules, billingSuspended } = project;
  return { name, authorizedOrigins, authorizedAddresses, disabledModules, billingSuspended };
}

const aboutProject = (project: Project) => ({
  project,
  object: { type: 'project', id: project.id },
  data: { id: project.id, name: project.name },
});
