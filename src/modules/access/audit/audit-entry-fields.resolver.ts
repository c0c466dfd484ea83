import { FieldResolver, Resolver, Root } from 'type-graphql';
import { StoredEvent } from '../../../events/stored-event.entity.js';
import { type Environment, isEnvironment } from '../../../kernel/actor.js';
import { Operation, type OperationContext } from '../../../kernel/verb-context.js';
import { EnvironmentType } from '../environment.js';
import { ApiToken } from '../keys/api-token.entity.js';
import type { ApiTokenService } from '../keys/api-token.service.js';
import { User } from '../people/user.entity.js';
import { Project } from '../projects/project.entity.js';
import { visibleNode } from '../visible-node.js';

@Resolver(() => StoredEvent)
export class AuditEntryFields {
  constructor(private readonly tokens: ApiTokenService) {}

  @FieldResolver(() => User, { nullable: true, description: 'Null if a key or the server made the change.' })
  actor(@Operation() { current }: OperationContext, @Root() { actorId }: StoredEvent): Promise<User | null> {
    return visibleNode(current, User, actorId);
  }

  @FieldResolver(() => ApiToken, {
    nullable: true,
    description: 'The API token by which the actor did it; null also for one that is deleted, or not yours to see.',
  })
  async actorToken(
    @Operation() { current }: OperationContext,
    @Root() { actorTokenId }: StoredEvent,
  ): Promise<ApiToken | null> {
    return actorTokenId === null ? null : this.tokens.visible(current, actorTokenId);
  }

  @FieldResolver(() => Project, { nullable: true })
  project(@Operation() { current }: OperationContext, @Root() { projectId }: StoredEvent): Promise<Project | null> {
    return visibleNode(current, Project, projectId);
  }

  @FieldResolver(() => EnvironmentType, { nullable: true, description: 'The project of the change.' })
  inEnvironment(@Root() { environment }: StoredEvent): Environment | null {
    return isEnvironment(environment) ? environment : null;
  }
}
