import { Migration } from '@mikro-orm/migrations';

/** Surveys with their parts, responses, partial saves; boards, triage rules and tickets. Survey versions are append-only. */
export class PulseMigration extends Migration {
  override up(): void {
    this.surveys();
    this.responses();
    this.plan();
  }

  private surveys(): void {
    this.addSql(`create table survey (
        id text not null,
        organization_id uuid not null,
        project_id uuid not null,
        name text not null,
        description text not null,
        kind text not null,
        status text not null default 'draft',
        slug text not null,
        auto_show boolean not null,
        display_cooldown_seconds int not null,
        display_delay_ms int not null,
        targeting_rules jsonb not null,
        branching_rules jsonb not null,
        theme jsonb null,
        translations jsonb not null,
        version int not null default 1,
        revision int not null default 1,
        archived_at timestamptz null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`alter table survey add constraint survey_project_slug_unique unique (project_id, slug)`);
    this.addSql(
      `alter table survey add constraint survey_kind_check check (kind in ('nps', 'rating', 'csat', 'likert', 'custom'))`,
    );
    this.addSql(
      `alter table survey add constraint survey_status_check check (status in ('draft', 'published', 'closed', 'archived'))`,
    );
    this.addSql(`create table survey_question (
        survey_id text not null,
        id text not null,
        kind text not null,
        prompt text not null,
        required boolean not null,
        order_index int not null,
        options text[] null,
        scale_min int null,
        scale_max int null,
        max_length int null,
        help_text text null,
        removed_at timestamptz null,
        primary key (survey_id, id)
      )`);
    this.addSql(`alter table survey_question add constraint survey_question_kind_check
      check (kind in ('text', 'nps', 'rating', 'csat', 'likert', 'select', 'multiselect', 'boolean', 'date'))`);
    this.addSql(`create table survey_version (
        survey_id text not null,
        version int not null,
        content jsonb not null,
        actor_id text not null,
        created_at timestamptz not null,
        primary key (survey_id, version)
      )`);
    this.addSql(`create trigger survey_version_append_only before update or delete on survey_version
      for each row execute function refuse_change()`);
    this.addSql(`create table survey_catalogue (
        project_id uuid not null,
        revision int not null,
        primary key (project_id)
      )`);
    this.addSql(`create table survey_distribution (
        id text not null,
        survey_id text not null,
        name text not null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index survey_distribution_survey_index on survey_distribution (survey_id)`);
  }

  private responses(): void {
    this.addSql(`create table survey_response (
        id text not null,
        project_id uuid not null,
        survey_id text not null,
        survey_version int not null,
        environment text not null,
        score int null,
        user_id text null,
        external_id text null,
        email text null,
        distribution_id text null,
        attributed_to text null,
        context jsonb not null,
        submitted_at timestamptz not null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index survey_response_survey_index on survey_response (survey_id, id)`);
    this.addSql(
      `create index survey_response_user_index on survey_response (project_id, user_id) where user_id is not null`,
    );
    this.addSql(
      `create index survey_response_external_index on survey_response (project_id, external_id) where external_id is not null`,
    );
    this.addSql(
      `create index survey_response_email_index on survey_response (project_id, lower(email)) where email is not null`,
    );
    this.addSql(
      `create index survey_response_attributed_index on survey_response (attributed_to) where attributed_to is not null`,
    );
    this.addSql(
      `alter table survey_response add constraint survey_response_environment_check check (environment in ('live', 'test'))`,
    );
    this.addSql(`create table survey_answer (
        response_id text not null,
        question_id text not null,
        value jsonb not null,
        primary key (response_id, question_id)
      )`);
    this.addSql(`create table survey_partial (
        survey_id text not null,
        environment text not null,
        external_id text not null,
        id text not null,
        answers jsonb not null,
        current_question_id text null,
        context jsonb not null,
        expires_at timestamptz not null,
        updated_at timestamptz not null,
        submitted_at timestamptz null,
        primary key (survey_id, environment, external_id)
      )`);
    this.addSql(`create index survey_partial_expiry_index on survey_partial (expires_at)`);
    this.addSql(
      `alter table survey_partial add constraint survey_partial_environment_check check (environment in ('live', 'test'))`,
    );
  }

  private plan(): void {
    this.addSql(`create table board (
        id text not null,
        project_id uuid not null,
        organization_id uuid not null,
        name text not null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index board_project_index on board (project_id, id)`);
    this.addSql(`create table triage_rule (
        id text not null,
        board_id text not null,
        project_id uuid not null,
        survey_id text not null,
        comparison text not null,
        score int not null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index triage_rule_survey_index on triage_rule (project_id, survey_id)`);
    this.addSql(
      `alter table triage_rule add constraint triage_rule_comparison_check check (comparison in ('lt', 'lte', 'eq', 'gte', 'gt'))`,
    );
    this.addSql(`create table ticket (
        id text not null,
        board_id text not null,
        project_id uuid not null,
        organization_id uuid not null,
        title text not null,
        description text not null,
        status text not null default 'open',
        triage_rule_id text null,
        response_id text null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index ticket_project_index on ticket (project_id, id)`);
    this.addSql(`create index ticket_board_index on ticket (board_id, id)`);
    this.addSql(`alter table ticket add constraint ticket_triage_unique unique (triage_rule_id, response_id)`);
    this.addSql(
      `alter table ticket add constraint ticket_status_check check (status in ('open', 'in_progress', 'done'))`,
    );
  }
}
