import { Migration } from '@mikro-orm/migrations';

/** Crash reporting settings per environment; indexes with which retention finds profiles and alert firings. */
export class CrashSettingsMigration extends Migration {
  override up(): void {
    this.addSql(`create table crash_settings (
        project_id uuid not null,
        environment text not null,
        sample_rate double precision not null,
        updated_at timestamptz not null,
        primary key (project_id, environment)
      )`);
    this.addSql(
      `alter table crash_settings add constraint crash_settings_environment_check check (environment in ('live', 'test'))`,
    );
    this.addSql(`create index crash_profile_project_index on crash_profile (project_id, received_at)`);
    this.addSql(`create index alert_firing_issue_index on alert_firing (issue_id)`);
  }
}
