import { indexMigration } from './index-migration.js';

/**
 * Indexes for the list orders of boards, tickets and triage rules. Built concurrently, because there may be many
 * tickets.
 */
export const PlanListsMigration = indexMigration({
  indexes: {
    board_project_name_index: 'board (project_id, name, id)',
    ticket_project_updated_index: 'ticket (project_id, updated_at, id)',
    ticket_board_updated_index: 'ticket (board_id, updated_at, id)',
    triage_rule_project_index: 'triage_rule (project_id, id)',
    triage_rule_board_index: 'triage_rule (board_id, id)',
  },
});
