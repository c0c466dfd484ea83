import { Migration } from '@mikro-orm/migrations';

/**
 * Webhooks: subscriptions; the queue of waiting deliveries (small, because a row lives until its delivery ends); the
 * log of attempts, partitioned by the time in the delivery's UUID version 7; dead letters; live delivery workers.
 * Releases and changelog entries.
 */
export class WebhooksMigration extends Migration {
  override up(): void {
    this.addSql(`create table webhook_subscription (
        id text not null,
        organization_id uuid not null,
        project_id uuid not null,
        url text not null,
        patterns text[] not null,
        description text not null default '',
        is_enabled boolean not null default true,
        disabled_reason text null,
        failing_since timestamptz null,
        sealed_secret text not null,
        sealed_previous_secret text null,
        previous_secret_until timestamptz null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index webhook_subscription_project_index on webhook_subscription (project_id, created_at, id)`);
    this.addSql(
      `create index webhook_subscription_enabled_index on webhook_subscription (organization_id) where is_enabled`,
    );
    // Leases are updated in place; free space in each page keeps these updates off the indexes.
    this.addSql(`create table webhook_queue (
        id uuid not null,
        subscription_id text not null references webhook_subscription (id) on delete cascade,
        event_id text not null,
        kind text not null,
        attempts smallint not null default 0,
        earlier_attempts smallint not null default 0,
        due_at timestamptz not null,
        lease_owner integer null,
        leased_until timestamptz not null default '-infinity',
        created_at timestamptz not null,
        primary key (id)
      ) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0)`);
    this.addSql(`create index webhook_queue_lane_index on webhook_queue (subscription_id, due_at)`);
    this.addSql(`create table webhook_attempt (
        delivery_id uuid not null,
        number smallint not null,
        subscription_id text not null,
        event_id text not null,
        kind text not null,
        at timestamptz not null,
        status smallint null,
        failure text null,
        latency_ms integer not null,
        answer text not null,
        outcome text not null check (outcome in ('delivered', 'retry', 'dead'))
      ) partition by range (delivery_id)`);
    // Not unique: after a lease expires two workers may make the same attempt, and both are logged.
    this.addSql(`create index webhook_attempt_delivery_index on webhook_attempt (subscription_id, delivery_id)`);
    this.addSql(`create table webhook_attempt_other partition of webhook_attempt default`);
    this.addSql(`create table webhook_dead_letter (
        id uuid not null,
        project_id uuid not null,
        subscription_id text not null,
        event_id text not null,
        kind text not null,
        attempts smallint not null,
        reason text not null,
        created_at timestamptz not null,
        died_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index webhook_dead_letter_project_index on webhook_dead_letter (project_id, died_at, id)`);
    this.addSql(`create index webhook_dead_letter_subscription_index on webhook_dead_letter (subscription_id)`);
    this.addSql(`create index webhook_dead_letter_died_index on webhook_dead_letter (died_at)`);
    this.addSql(`create table webhook_worker (id serial primary key)`);

    this.addSql(`create table deploy_release (
        id uuid not null,
        project_id uuid not null,
        environment text not null,
        version text not null,
        notes text not null,
        commit_sha text null,
        is_current boolean not null default false,
        promoted_at timestamptz null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(
      `alter table deploy_release add constraint deploy_release_version_unique unique (project_id, environment, version)`,
    );
    this.addSql(
      `create index deploy_release_project_index on deploy_release (project_id, environment, created_at, id)`,
    );
    this.addSql(
      `create unique index deploy_release_current_unique on deploy_release (project_id, environment) where is_current`,
    );
    this.addSql(
      `alter table deploy_release add constraint deploy_release_environment_check check (environment in ('live', 'test'))`,
    );
    this.addSql(`create table changelog_entry (
        id uuid not null,
        project_id uuid not null,
        title text not null,
        body text not null,
        status text not null,
        published_at timestamptz null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index changelog_entry_project_index on changelog_entry (project_id, created_at, id)`);
    this.addSql(
      `alter table changelog_entry add constraint changelog_entry_status_check check (status in ('draft', 'published'))`,
    );
  }
}
