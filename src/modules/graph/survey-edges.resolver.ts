import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import { Operation, type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { ListField } from '../access/graph/list-fields.js';
import { mayIn } from '../access/guard.js';
import { visibleNode } from '../access/visible-node.js';
import { Person } from '../ingest/people/person.entity.js';
import { personLoader } from '../ingest/people/person-loaders.js';
import { TicketConnection, TriageRuleConnection } from '../plan/plan-connections.js';
import { PlainTicketArgs, TriageRuleListArgs } from '../plan/plan-lists.js';
import { Ticket } from '../plan/ticket.entity.js';
import type { TicketService } from '../plan/ticket.service.js';
import { TriageRule } from '../plan/triage-rule.entity.js';
import type { TriageRuleService } from '../plan/triage-rule.service.js';
import { SurveyResponse } from '../pulse/responses/survey-response.entity.js';
import { Survey } from '../pulse/surveys/survey.entity.js';

@Resolver(() => Ticket)
export class TicketSurveyEdges {
  @FieldResolver(() => SurveyResponse, { nullable: true, description: 'The response it is about.' })
  response(@VerbContext() ctx: Context, @Root() { responseId }: Ticket): Promise<SurveyResponse | null> {
    return visibleNode(ctx, SurveyResponse, responseId);
  }
}

@Resolver(() => SurveyResponse)
export class ResponsePersonEdges {
  @FieldResolver(() => Person, {
    nullable: true,
    description: "The person with the response's user id, or else its external id.",
  })
  async person(
    @Root() { projectId, environment, userId, externalId }: SurveyResponse,
    @Operation() operation: OperationContext,
  ): Promise<Person | null> {
    const distinctId = userId ?? externalId;
    if (distinctId === null || !(await mayIn(operation.current, 'person.view', projectId))) return null;
    return personLoader(operation).load({ projectId, environment, distinctId });
  }
}

@Resolver(() => TriageRule)
export class TriageSurveyEdges {
  @FieldResolver(() => Survey, { nullable: true, description: 'The survey whose responses it processes.' })
  survey(@VerbContext() ctx: Context, @Root() { surveyId }: TriageRule): Promise<Survey | null> {
    return visibleNode(ctx, Survey, surveyId);
  }
}

@Resolver(() => Survey)
export class SurveyTriageEdges {
  constructor(private readonly rules: TriageRuleService) {}

  @ListField(() => TriageRuleConnection, TriageRuleListArgs, {
    description: 'Rules that process its responses, oldest first.',
  })
  triageRules(operation: OperationContext, survey: Survey, args: ListArgs): Promise<Page<TriageRule>> {
    return this.rules.ofSurvey(operation, survey, args);
  }
}

@Resolver(() => SurveyResponse)
export class ResponseTicketEdges {
  constructor(private readonly ticketService: TicketService) {}

  @ListField(() => TicketConnection, PlainTicketArgs, { description: 'Tickets about it, newest first.' })
  tickets(operation: OperationContext, response: SurveyResponse, args: ListArgs): Promise<Page<Ticket>> {
    return this.ticketService.ofResponse(operation, response, args);
  }
}
