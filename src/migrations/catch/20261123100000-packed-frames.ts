import { Migration } from '@mikro-orm/migrations';

/** Frames are compressed by the thread that writes them, so PostgreSQL need neither parse nor compress them. */
export class PackedFramesMigration extends Migration {
  override up(): void {
    this.addSql('alter table crash_event add column packed_frames bytea null');
    this.addSql('alter table crash_event alter column packed_frames set storage external');
  }
}
