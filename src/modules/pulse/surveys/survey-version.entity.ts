import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** What a survey said at one version; responses keep the number of the version that they answered. */
@Entity({ tableName: 'survey_version' })
export class SurveyVersion {
  @PrimaryKey({ type: 'text' })
  surveyId!: string;

  @PrimaryKey({ type: 'integer' })
  version!: number;

  /** The content as {@link surveyContent} lists it. */
  @Property({ type: 'json' })
  content!: Record<string, unknown>;

  @Property({ type: 'text' })
  actorId!: string;

  @Property({ type: 'Date' })
  createdAt!: Date;
}
