import { indexMigration } from './index-migration.js';

/** Indexes from surveys, rules, responses, distributions, keys and persons to their related rows. */
export const MoreListsMigration = indexMigration({
  indexes: {
    triage_rule_of_survey_index: 'triage_rule (survey_id, id)',
    ticket_rule_index: 'ticket (triage_rule_id, id) where triage_rule_id is not null',
    ticket_rule_updated_index: 'ticket (triage_rule_id, updated_at, id) where triage_rule_id is not null',
    ticket_response_index: 'ticket (response_id, id) where response_id is not null',
    survey_response_of_distribution_index: 'survey_response (attributed_to, id) where attributed_to is not null',
    survey_response_of_distribution_submitted_index:
      'survey_response (attributed_to, submitted_at, id) where attributed_to is not null',
    ingestion_warning_key_index: 'ingestion_warning (key_id, day, id)',
  },
  partitioned: {
    crash_event_person_index:
      'crash_event (project_id, environment, distinct_id, received_at, event_id) where distinct_id is not null',
  },
});
