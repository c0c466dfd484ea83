import { Arg, Args, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import { type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { ProjectList } from '../access/graph/list-fields.js';
import { IdInput } from '../access/ids.inputs.js';
import { Project } from '../access/projects/project.entity.js';
import type { AudienceService } from './audience/audience.service.js';
import { AudienceSize, AudienceSizeArgs } from './audience/audience.types.js';
import { Cohort } from './cohorts/cohort.entity.js';
import type { CohortService } from './cohorts/cohort.service.js';
import { CohortListArgs } from './cohorts/cohort-list.js';
import { AnalyticsEvent } from './events/analytics-event.js';
import type { EventService } from './events/event.service.js';
import { EventBreakdown } from './events/event-breakdown.js';
import type { EventBreakdownService } from './events/event-breakdown.service.js';
import { EventCounts } from './events/event-counts.js';
import type { EventCountsService } from './events/event-counts.service.js';
import { EventListArgs } from './events/event-list.js';
import {
  CreateCohortInput,
  EventBreakdownArgs,
  EventCountsArgs,
  PersonInput,
  UpdateCohortInput,
} from './ingest.inputs.js';
import { PersonSplit } from './ingest.results.js';
import { CohortConnection, EventConnection, PersonConnection, WarningConnection } from './ingest-connections.js';
import { Person } from './people/person.entity.js';
import type { PersonService } from './people/person.service.js';
import { PersonListArgs } from './people/person-list.js';
import { IngestionWarning } from './warnings/ingestion-warning.entity.js';
import type { WarningService } from './warnings/warning.service.js';
import { WarningListArgs } from './warnings/warning-list.js';

@Resolver(() => Project)
export class IngestResolver {
  constructor(
    private readonly analytics: EventService,
    private readonly counts: EventCountsService,
    private readonly breakdowns: EventBreakdownService,
    private readonly persons: PersonService,
    private readonly groups: CohortService,
    private readonly warnings: WarningService,
    private readonly audiences: AudienceService,
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

  @Query(() => AnalyticsEvent, { description: 'An ingested event by its id.' })
  event(
    @VerbContext() ctx: Context,
    @Arg('id', () => ID, { description: 'The id of the event.' }) id: string,
  ): Promise<AnalyticsEvent> {
    return this.analytics.get(ctx, id);
  }

  @Query(() => IngestionWarning, { description: 'An ingestion warning by its id.' })
  ingestionWarning(
    @VerbContext() ctx: Context,
    @Arg('id', () => ID, { description: 'The id of the warning.' }) id: string,
  ): Promise<IngestionWarning> {
    return this.warnings.get(ctx, id);
  }

  @Query(() => EventCounts, { description: 'Events of an environment counted over time.' })
  eventCounts(@VerbContext() ctx: Context, @Args() args: EventCountsArgs): Promise<EventCounts> {
    return this.counts.count(ctx, args);
  }

  @Query(() => EventBreakdown, {
    description: 'The newest events of a name, at most 10,000, by the values of one of their properties.',
  })
  eventBreakdown(@VerbContext() ctx: Context, @Args() args: EventBreakdownArgs): Promise<EventBreakdown> {
    return this.breakdowns.breakDown(ctx, args);
  }

  @Query(() => Person)
  personById(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Person> {
    return this.persons.get(ctx, id);
  }

  @Query(() => Person, {
    nullable: true,
    description: 'The person behind an id. Ids containing an email address require Editor.',
  })
  person(@VerbContext() ctx: Context, @Args() args: PersonInput): Promise<Person | null> {
    return this.persons.find(ctx, args);
  }

  @Query(() => AudienceSize, { description: 'How many stored persons rules cover.' })
  audienceSize(@VerbContext() ctx: Context, @Args() args: AudienceSizeArgs): Promise<AudienceSize> {
    return this.audiences.size(ctx, args);
  }

  @Query(() => Cohort)
  cohort(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Cohort> {
    return this.groups.get(ctx, id);
  }

  @Mutation(() => Cohort)
  createCohort(@VerbContext() ctx: Context, @Arg('input') input: CreateCohortInput): Promise<Cohort> {
    return this.groups.create(ctx, input);
  }

  @Mutation(() => Cohort)
  updateCohort(@VerbContext() ctx: Context, @Arg('input') input: UpdateCohortInput): Promise<Cohort> {
    return this.groups.update(ctx, input.id, input);
  }

  @Mutation(() => Cohort)
  deleteCohort(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Cohort> {
    return this.groups.delete(ctx, input.id);
  }

  @Mutation(() => PersonSplit, { description: 'Undoes the newest merge of this alias.' })
  splitPerson(@VerbContext() ctx: Context, @Arg('input') input: PersonInput): Promise<PersonSplit> {
    return this.persons.split(ctx, input);
  }

  @Mutation(() => Person, { description: 'Deletes a person with all ids, merges and events.' })
  deletePerson(@VerbContext() ctx: Context, @Arg('input') input: PersonInput): Promise<Person> {
    return this.persons.delete(ctx, input);
  }
}
