import { Migration } from '@mikro-orm/migrations';

/** Indexes for the list orders of members, projects, keys and tokens. */
export class AccessListsMigration extends Migration {
  override up(): void {
    this.addSql(`create index project_list_index on project (organization_id, created_at, id)`);
    this.addSql(`create index project_updated_index on project (organization_id, updated_at, id)`);
    this.addSql(`create index project_name_index on project (organization_id, name, id)`);
    this.addSql(`drop index project_organization_index`);
    this.addSql(`create index membership_list_index on membership (organization_id, created_at, id)`);
    this.addSql(`create index project_role_list_index on project_role (project_id, created_at)`);
    this.addSql(`create index project_role_user_index on project_role (user_id, created_at)`);
    this.addSql(`create index project_key_list_index on project_key (project_id, created_at, id)`);
    this.addSql(`create index project_key_name_index on project_key (project_id, name, id)`);
    this.addSql(`drop index project_key_project_index`);
    this.addSql(`create index deploy_token_list_index on deploy_token (project_id, created_at, id)`);
    this.addSql(`create index deploy_token_name_index on deploy_token (project_id, name, id)`);
    this.addSql(`drop index deploy_token_project_index`);
    this.addSql(`create index api_token_list_index on api_token (organization_id, created_at, id)`);
    this.addSql(`create index api_token_expiry_index on api_token (organization_id, expires_at, id)`);
    this.addSql(`create index api_token_project_index on api_token (project_id, created_at, id)`);
    this.addSql(`drop index api_token_organization_index`);
  }
}
