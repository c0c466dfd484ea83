import { GraphQLBigInt } from 'graphql-scalars';
import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import { RedactedBelowEditor } from '../../kernel/values/email-redaction.js';
import { Operation, type OperationContext } from '../../kernel/verb-context.js';
import { ListField, ProjectList } from '../access/graph/list-fields.js';
import { mayIn } from '../access/guard.js';
import { ProjectKey } from '../access/keys/project-key.entity.js';
import { Project } from '../access/projects/project.entity.js';
import { Cohort } from './cohorts/cohort.entity.js';
import type { CohortService } from './cohorts/cohort.service.js';
import { CohortListArgs } from './cohorts/cohort-list.js';
import { cohortsOfPersonLoader } from './cohorts/cohorts-of-persons.js';
import { AnalyticsEvent } from './events/analytics-event.js';
import type { EventService } from './events/event.service.js';
import { EventListArgs, EventPageArgs } from './events/event-list.js';
import { CohortConnection, EventConnection, PersonConnection, WarningConnection } from './ingest-connections.js';
import { Person } from './people/person.entity.js';
import type { PersonService } from './people/person.service.js';
import { PersonListArgs } from './people/person-list.js';
import { personIdsLoader, personLoader, personMergesLoader } from './people/person-loaders.js';
import { PersonMerge } from './people/person-merge.entity.js';
import { IngestionWarning } from './warnings/ingestion-warning.entity.js';
import type { WarningService } from './warnings/warning.service.js';
import { PlainWarningArgs, WarningListArgs } from './warnings/warning-list.js';
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

@Resolver(() => Project)
export class ProjectPeopleFields {
  constructor(
    private readonly persons: PersonService,
    private readonly groups: CohortService,
    private readonly analytics: EventService,
    private readonly warnings: WarningService,
  ) {}

  @ProjectList(() => EventConnection, EventListArgs, {
    field: 'Newest first.',
    query: 'Events of an environment, newest first.',
  })
  events(operation: OperationContext, projectId: string, args: EventListArgs): Promise<Page<AnalyticsEvent>> {
    return this.analytics.ofProject(operation, projectId, args);
  }

  @ProjectList(() => WarningConnection, WarningListArgs, { field: 'Newest day first.', query: 'Newest day first.' })
  ingestionWarnings(
    operation: OperationContext,
    projectId: string,
    args: WarningListArgs,
  ): Promise<Page<IngestionWarning>> {
    return this.warnings.list(operation, projectId, args);
  }

  @ProjectList(() => PersonConnection, PersonListArgs, { query: 'Persons of an environment, oldest first.' })
  people(operation: OperationContext, projectId: string, args: PersonListArgs): Promise<Page<Person>> {
    return this.persons.list(operation, projectId, args);
  }

  @ProjectList(() => CohortConnection, CohortListArgs, { query: 'By name.' })
  cohorts(operation: OperationContext, projectId: string, args: ListArgs): Promise<Page<Cohort>> {
    return this.groups.list(operation, projectId, args);
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
