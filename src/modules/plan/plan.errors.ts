import { defineFailures } from '../../kernel/errors.js';
import type { TicketStatus } from './ticket-statuses.js';

export const planFailure = defineFailures(
  {
    board_not_found: () => 'No board with this id is visible to you. List the boards of the project.',
    triage_rule_not_found: () => 'No triage rule with this id is visible to you. List the triage rules of the project.',
    ticket_not_found: () => 'No ticket with this id is visible to you. List the tickets of its board.',
    bad_title: ({ field }: { field: string }) => `${field} must have 1 to 200 characters.`,
    bad_survey_id: () => 'surveyId must be the id of a survey of the same project, psv_….',
    move_refused: ({ from, to }: { from: TicketStatus; to: TicketStatus }) =>
      `A ticket with status ${from} cannot move to ${to}. Move it one step at a time between open, in_progress and done.`,
  },
  { bad_survey_id: 'surveyId', move_refused: 'status' },
);
