import { MaxLength } from 'class-validator';
import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import { IdInput, IdsInput, ProjectInput } from '../access/ids.inputs.js';
import { TicketListArgs } from './plan-lists.js';
import type { ScoreComparison } from './score-comparisons.js';
import { TicketStatusType } from './ticket.entity.js';
import type { TicketStatus } from './ticket-statuses.js';
import { ScoreComparisonType } from './triage-rule.entity.js';

const MAX_DESCRIPTION = 100_000;

@ArgsType()
export class TicketsArgs extends TicketListArgs {
  @Field(() => ID, { nullable: true, description: 'Tickets of all boards of the project; not needed with boardId.' })
  projectId?: string | null;

  @Field(() => ID, { nullable: true })
  boardId?: string | null;
}

@InputType()
export class UpdateBoardInput extends IdInput {
  @Field(() => String)
  name!: string;
}

@InputType({ description: 'Absent fields stay unchanged.' })
export class UpdateTriageRuleInput extends IdInput {
  @Field(() => ScoreComparisonType, { nullable: true })
  comparison?: ScoreComparison | null;

  @Field(() => Int, { nullable: true })
  score?: number | null;
}

@InputType({ description: 'Absent fields stay unchanged.' })
export class UpdateTicketInput extends IdInput {
  @Field(() => String, { nullable: true })
  title?: string | null;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;
}

@InputType()
export class TransitionTicketsInput extends IdsInput {
  @Field(() => TicketStatusType)
  status!: TicketStatus;
}

@InputType()
export class CreateBoardInput extends ProjectInput {
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
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;
}

@InputType()
export class TransitionTicketInput extends IdInput {
  @Field(() => TicketStatusType)
  status!: TicketStatus;
}
