import { Args, FieldResolver, Resolver, Root } from 'type-graphql';
import { RedactedBelowEditor } from '../../kernel/email-redaction.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import { type Page, PageArgs } from '../../kernel/paging.js';
import { Operation, type OperationContext } from '../../kernel/verb-context.js';
import { Project } from '../access/projects/project.entity.js';
import type { Cohort } from './cohorts/cohort.entity.js';
import type { CohortService } from './cohorts/cohort.service.js';
import { CohortListArgs } from './cohorts/cohort-list.js';
import { AnalyticsEvent } from './events/analytics-event.js';
import { eventsOfPerson } from './events/person-events.js';
import { CohortConnection, EventConnection, PersonConnection } from './ingest-connections.js';
import { Person } from './people/person.entity.js';
import type { PersonService } from './people/person.service.js';
import { PersonListArgs } from './people/person-list.js';
import { personIdsLoader, personLoader, personMergesLoader } from './people/person-loaders.js';
import { PersonMerge } from './people/person-merge.entity.js';
import { IngestionWarning } from './warnings/ingestion-warning.entity.js';
import { WARNING_REASONS } from './warnings/warning-reasons.js';

@Resolver(() => AnalyticsEvent)
export class AnalyticsEventFields {
  @FieldResolver(() => Person, {
    nullable: true,
    description: 'Null while no people or alias operation came for the id.',
  })
  person(@Root() event: AnalyticsEvent, @Operation() operation: OperationContext): Promise<Person | null> {
    return personLoader(operation).load(event);
  }
}

@Resolver(() => Person)
export class PersonFields {
  @FieldResolver(() => [String], { description: 'All ids, oldest first.' })
  @RedactedBelowEditor()
  distinctIds(@Root() person: Person, @Operation() operation: OperationContext): Promise<string[]> {
    return personIdsLoader(operation).load(person.id);
  }

  @FieldResolver(() => EventConnection, { description: 'Of all ids, newest first.' })
  events(
    @Root() { id }: Person,
    @Operation() operation: OperationContext,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<AnalyticsEvent>> {
    return eventsOfPerson(operation, id, page);
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
  ) {}

  @FieldResolver(() => PersonConnection)
  people(
    @Root() { id }: Project,
    @Operation() operation: OperationContext,
    @Args(() => PersonListArgs) args: PersonListArgs,
  ): Promise<Page<Person>> {
    return this.persons.list(operation, id, args);
  }

  @FieldResolver(() => CohortConnection)
  cohorts(
    @Root() { id }: Project,
    @Operation() operation: OperationContext,
    @Args(() => CohortListArgs) args: ListArgs,
  ): Promise<Page<Cohort>> {
    return this.groups.list(operation, id, args);
  }
}

@Resolver(() => IngestionWarning)
export class IngestionWarningFields {
  @FieldResolver(() => Number, { description: 'How many operations.' })
  count(@Root() warning: IngestionWarning): number {
    return Number(warning.count);
  }

  @FieldResolver(() => String, { description: 'What the reason means.' })
  explanation(@Root() warning: IngestionWarning): string {
    return WARNING_REASONS[warning.reason] ?? warning.reason;
  }
}
