import { FieldResolver, Resolver, Root } from 'type-graphql';
import { Operation, type OperationContext } from '../../kernel/verb-context.js';
import { CrashEvent } from '../catch/crashes/crash-event.entity.js';
import { Person } from '../ingest/people/person.entity.js';
import { personLoader } from '../ingest/people/person-loaders.js';

@Resolver(() => CrashEvent)
export class CrashPersonEdges {
  @FieldResolver(() => Person, { nullable: true, description: 'The affected person, if the report names one.' })
  async person(
    @Root() { projectId, environment, distinctId }: CrashEvent,
    @Operation() operation: OperationContext,
  ): Promise<Person | null> {
    return distinctId === null ? null : personLoader(operation).load({ projectId, environment, distinctId });
  }
}
