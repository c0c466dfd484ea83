import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A session that was signed out; kept for as long as one of its tokens could still be valid. */
@Entity({ tableName: 'ended_session' })
export class EndedSession {
  /** The `jti` of the session's tokens. */
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Index({ name: 'ended_session_ended_at_index' })
  @Property({ type: 'Date' })
  endedAt!: Date;
}
