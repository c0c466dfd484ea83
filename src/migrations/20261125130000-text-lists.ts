import { indexMigration } from './index-migration.js';

/** Trigram indexes for text search in names, keys, titles and similar texts. */
export const TextListsMigration = indexMigration({
  before: ['create extension if not exists pg_trgm'],
  indexes: {
    flag_text_index: 'flag using gin (key gin_trgm_ops, description gin_trgm_ops)',
    config_item_text_index: 'config_item using gin (key gin_trgm_ops, description gin_trgm_ops)',
    survey_text_index: 'survey using gin (name gin_trgm_ops, slug gin_trgm_ops, description gin_trgm_ops)',
    survey_distribution_text_index: 'survey_distribution using gin (name gin_trgm_ops)',
    ticket_text_index: 'ticket using gin (title gin_trgm_ops, description gin_trgm_ops)',
    board_text_index: 'board using gin (name gin_trgm_ops)',
    deploy_release_text_index:
      'deploy_release using gin (version gin_trgm_ops, notes gin_trgm_ops, commit_sha gin_trgm_ops)',
    cohort_text_index: 'cohort using gin (name gin_trgm_ops, description gin_trgm_ops)',
    project_text_index: 'project using gin (name gin_trgm_ops)',
    changelog_entry_text_index: 'changelog_entry using gin (title gin_trgm_ops, body gin_trgm_ops)',
    symbol_artifact_text_index: 'symbol_artifact using gin (original_name gin_trgm_ops, match_key gin_trgm_ops)',
    app_user_email_text_index: 'app_user using gin (email gin_trgm_ops)',
  },
});
