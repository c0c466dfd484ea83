import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { VerbContext } from '../../kernel/verb-context.js';
import { visibleNode } from '../access/graph/visible-node.js';
import { Ticket } from '../plan/ticket.entity.js';
import { TriageRule } from '../plan/triage-rule.entity.js';
import { SurveyResponse } from '../pulse/responses/survey-response.entity.js';
import { Survey } from '../pulse/surveys/survey.entity.js';

@Resolver(() => Ticket)
export class TicketSurveyEdges {
  @FieldResolver(() => SurveyResponse, { nullable: true, description: 'The response that it is about.' })
  response(@VerbContext() ctx: Context, @Root() { responseId }: Ticket): Promise<SurveyResponse | null> {
    return visibleNode(ctx, SurveyResponse, responseId);
  }
}

@Resolver(() => TriageRule)
export class TriageSurveyEdges {
  @FieldResolver(() => Survey, { nullable: true, description: 'The survey whose responses it looks at.' })
  survey(@VerbContext() ctx: Context, @Root() { surveyId }: TriageRule): Promise<Survey | null> {
    return visibleNode(ctx, Survey, surveyId);
  }
}
