import { Migration } from '@mikro-orm/migrations';

/** The link given as evidence for a halt, so far only in its event. Versions of earlier halts cannot be changed and stay without. */
export class HaltEvidenceMigration extends Migration {
  override up(): void {
    this.addSql(`alter table flag add column halt_evidence_url text`);
    this.addSql(`alter table flag_version add column evidence_url text`);
    this.addSql(
      `update flag f set halt_evidence_url = (
         select e.data->>'evidence_url' from event_log e
          where e.object_id = f.id and e.kind = 'switch.flag.halted' order by e.sequence desc limit 1)
        where f.halted_at is not null`,
    );
  }
}
