import { FieldResolver, Resolver, Root } from 'type-graphql';
import { StoredEvent } from '../../../events/stored-event.entity.js';
import { type Environment, isEnvironment } from '../../../kernel/actor.js';
import { Operation, type OperationContext } from '../../../kernel/verb-context.js';
import { EnvironmentType } from '../environment.js';
import { User } from '../people/user.entity.js';
import { Project } from '../projects/project.entity.js';
import { visibleNode } from '../visible-node.js';

@Resolver(() => StoredEvent)
export class AuditEntryFields {
  @FieldResolver(() => User, { nullable: true, description: 'Null if a key or the server made the change.' })
  actor(@Operation() { current }: OperationContext, @Root() { actorId }: StoredEvent): Promise<User | null> {
    return visibleNode(current, User, actorId);
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
