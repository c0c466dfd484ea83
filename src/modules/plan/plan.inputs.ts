import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import { PageArgs } from '../../kernel/paging.js';
import type { ScoreComparison } from './score-comparisons.js';
import { TicketStatusType } from './ticket.entity.js';
import type { TicketStatus } from './ticket-statuses.js';
import { ScoreComparisonType } from './triage-rule.entity.js';

@ArgsType()
export class BoardsArgs extends PageArgs {
  @Field(() => ID)
  projectId!: string;
}

@ArgsType()
export class TicketsArgs extends PageArgs {
  @Field(() => ID, { nullable: true, description: 'Tickets of all boards of the project; not needed beside boardId.' })
  projectId?: string | null;

  @Field(() => ID, { nullable: true })
  boardId?: string | null;

  @Field(() => TicketStatusType, { nullable: true })
  status?: TicketStatus | null;
}

@InputType()
export class CreateBoardInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => String)
  name!: string;
}

@InputType()
export class CreateTriageRuleInput {
  @Field(() => ID)
  boardId!: string;

  @Field(() => ID)
  surveyId!: string;

  @Field(() => ScoreComparisonType)
  comparison!: ScoreComparison;

  @Field(() => Int)
  score!: number;
}

@InputType()
export class CreateTicketInput {
  @Field(() => ID)
  boardId!: string;

  @Field(() => String)
  title!: string;

  @Field(() => String, { nullable: true })
  description?: string | null;
}

@InputType()
export class TransitionTicketInput {
  @Field(() => ID)
  id!: string;

  @Field(() => TicketStatusType)
  status!: TicketStatus;
}
