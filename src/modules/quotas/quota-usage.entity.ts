import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A project's use of a meter in a month, counted in the transaction of what is metered. */
@Entity({ tableName: 'quota_usage' })
export class QuotaUsage {
  @PrimaryKey({ type: 'uuid' })
  projectId!: string;

  @PrimaryKey({ type: 'text' })
  meter!: string;

  @PrimaryKey({ type: 'date' })
  month!: string;

  @Property({ type: 'bigint' })
  used!: string;
}
