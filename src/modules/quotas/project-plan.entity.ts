import { Entity, Enum, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { PLANS, type Plan } from './limits.js';

/** A project without a row is on the Hobby plan. */
@Entity({ tableName: 'project_plan' })
export class ProjectPlan {
  @PrimaryKey({ type: 'uuid' })
  projectId!: string;

  @Enum({ items: () => [...PLANS], type: 'text' })
  plan: Plan = 'hobby';

  /** Limits instead of the plan's; null means the plan's own. */
  @Property({ type: 'bigint', nullable: true })
  events: string | null = null;

  @Property({ type: 'bigint', nullable: true })
  decisions: string | null = null;

  @Property({ type: 'bigint', nullable: true })
  responses: string | null = null;

  @Property({ type: 'bigint', nullable: true })
  symbolBytes: string | null = null;

  @Property({ type: 'Date' })
  updatedAt!: Date;
}
