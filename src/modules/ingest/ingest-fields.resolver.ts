import { GraphQLBigInt } from 'graphql-scalars';
import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import { RedactedBelowEditor } from '../../kernel/values/email-redaction.js';
import { Operation, type OperationContext } from '../../kernel/verb-context.js';
import { ListField } from '../access/graph/list-fields.js';
import { mayIn } from '../access/guard.js';
import { ProjectKey } from '../access/keys/project-key.entity.js';
import { Cohort } from './cohorts/cohort.entity.js';
import { cohortsOfPersonLoader } from './cohorts/cohorts-of-persons.js';
import { AnalyticsEvent } from './events/analytics-event.js';
import type { EventService } from './events/event.service.js';
import { EventPageArgs } from './events/event-list.js';
import { EventConnection, WarningConnection } from './ingest-connections.js';
import { Person } from './people/person.entity.js';
import { personIdsLoader, personLoader, personMergesLoader } from './people/person-loaders.js';
import { PersonMerge } from './people/person-merge.entity.js';
import { IngestionWarning } from './warnings/ingestion-warning.entity.js';
import type { WarningService } from './warnings/warning.service.js';
import { PlainWarningArgs } from './warnings/warning-list.js';
import { WARNING_REASONS } from './warnings/warning-reasons.js';

@Resolver(() => AnalyticsEvent)
export class AnalyticsEventFields {
  @FieldResolver(() => Person, {
    nullable: true,
    description: 'Null until a people or alias operation is received for the id.',
  })
  person(@Root() event: AnalyticsEvent, @Operation() operation: OperationContext): Promise<Person | null> {
    return personLoader(operation).load(event);
  }
}

@Resolver(() => Person)
export class PersonFields {
  constructor(private readonly analytics: EventService) {}

  @FieldResolver(() => [String], { description: 'All ids, oldest first.' })
  @RedactedBelowEditor()
  distinctIds(@Root() person: Person, @Operation() operation: OperationContext): Promise<string[]> {
    return personIdsLoader(operation).load(person.id);
  }

  @ListField(() => EventConnection, EventPageArgs, { description: 'Of all ids, newest first.' })
  events(operation: OperationContext, person: Person, args: ListArgs): Promise<Page<AnalyticsEvent>> {
    return this.analytics.ofPerson(operation, person, args);
  }

  @FieldResolver(() => [Cohort], {
    nullable: true,
    description:
      'The cohorts the person is in based on stored data, by name. Rules see the oldest id, and no request data.',
  })
  async cohorts(@Root() person: Person, @Operation() operation: OperationContext): Promise<Cohort[] | null> {
    const may = await mayIn(operation.current, 'cohort.view', person.projectId);
    return may ? cohortsOfPersonLoader(operation).load(person) : null;
  }

  @FieldResolver(() => [PersonMerge], { description: 'Aliases that took effect, newest first.' })
  merges(@Root() person: Person, @Operation() operation: OperationContext): Promise<PersonMerge[]> {
    return personMergesLoader(operation).load(person.id);
  }
}

@Resolver(() => ProjectKey)
export class KeyWarningsField {
  constructor(private readonly warnings: WarningService) {}

  @ListField(() => WarningConnection, PlainWarningArgs, {
    description: 'Warnings about what it sent, newest day first.',
  })
  ingestionWarnings(operation: OperationContext, key: ProjectKey, args: ListArgs): Promise<Page<IngestionWarning>> {
    return this.warnings.ofKey(operation, key, args);
  }
}

@Resolver(() => IngestionWarning)
export class IngestionWarningFields {
  @FieldResolver(() => Number, { description: 'Number of operations.', deprecationReason: 'Use `operations`.' })
  count(@Root() warning: IngestionWarning): number {
    return Number(warning.count);
  }

  @FieldResolver(() => GraphQLBigInt, { description: 'Number of operations.' })
  operations(@Root() { count }: IngestionWarning): string {
    return count;
  }

  @FieldResolver(() => String, { description: 'What the reason means.' })
  explanation(@Root() warning: IngestionWarning): string {
    return WARNING_REASONS[warning.reason] ?? warning.reason;
  }
}
