import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A counter per project that every change of any of its surveys moves: one row tells whether a cached list still holds. */
@Entity({ tableName: 'survey_catalogue' })
export class SurveyCatalogueRevision {
  @PrimaryKey({ type: 'uuid' })
  projectId!: string;

  @Property({ type: 'integer' })
  revision!: number;
}
