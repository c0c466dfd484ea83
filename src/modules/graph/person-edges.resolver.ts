import { Resolver } from 'type-graphql';
import type { Belonging, List } from '../../kernel/lists/list.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { listOfOwner } from '../access/graph/list-edge.js';
import { ListField } from '../access/graph/list-fields.js';
import type { CrashEvent } from '../catch/crashes/crash-event.entity.js';
import { CRASH_EVENTS, CrashEventConnection, PlainCrashEventArgs } from '../catch/crashes/crash-lists.js';
import { Person } from '../ingest/people/person.entity.js';
import type { ResponseService } from '../pulse/responses/response.service.js';
import { SURVEY_RESPONSES, SurveyResponseListArgs } from '../pulse/responses/response-lists.js';
import { SurveyResponseConnection } from '../pulse/responses/responses.resolver.js';
import type { SurveyResponse } from '../pulse/responses/survey-response.entity.js';

const IDS = 'any(array(select distinct_id from person_id where person_id = owner.id0))';

/** Rows of the person's project and environment that match one of the person's ids. */
const ofPerson = (condition: string): Belonging => ({
  types: ['text', 'uuid', 'text'],
  sql: `r.project_id = owner.id1 and r.environment = owner.id2 and ${condition}`,
});

const PERSON_CRASHES: List<CrashEvent> = {
  ...CRASH_EVENTS,
  owner: [],
  belonging: ofPerson(`r.distinct_id = ${IDS}`),
};

/** A response names its person by user id, or else by external id. */
const PERSON_RESPONSES: List<SurveyResponse> = {
  ...SURVEY_RESPONSES,
  owner: [],
  belonging: ofPerson(`(r.user_id = ${IDS} or (r.user_id is null and r.external_id = ${IDS}))`),
};

@Resolver(() => Person)
export class PersonEdges {
  constructor(private readonly responseService: ResponseService) {}

  @ListField(() => CrashEventConnection, PlainCrashEventArgs, {
    nullable: true,
    description: 'Crashes that affected one of the ids, newest first.',
  })
  crashEvents(operation: OperationContext, person: Person, args: ListArgs): Promise<Page<CrashEvent>> {
    return listOfOwner(operation, 'catch.crash.view', PERSON_CRASHES, ownerOf(person), args, {}, {});
  }

  @ListField(() => SurveyResponseConnection, SurveyResponseListArgs, {
    nullable: true,
    description: 'Survey responses by one of the ids, newest first.',
  })
  responses(operation: OperationContext, person: Person, args: SurveyResponseListArgs): Promise<Page<SurveyResponse>> {
    return this.responseService.ofOwner(operation, PERSON_RESPONSES, ownerOf(person), args, {});
  }
}

const ownerOf = ({ id, projectId, environment }: Person) => ({ id: [id, projectId, environment], projectId });
