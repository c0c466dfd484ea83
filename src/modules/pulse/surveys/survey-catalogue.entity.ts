import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A counter per project that every change to any of its surveys increments: one row tells whether a cached list is still valid. */
@Entity({ tableName: 'survey_catalogue' })
export class SurveyCatalogueRevision {
  @PrimaryKey({ type: 'uuid' })
  projectId!: string;

  @Property({ type: 'integer' })
  revision!: number;
}
