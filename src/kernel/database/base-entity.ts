import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { newUuid } from '../ids.js';
import { Column, IdColumn } from './column.js';

@ObjectType()
@Entity({ abstract: true })
export abstract class DatedEntity {
  @Column('Date')
  createdAt!: Date;
}

/** A dated entity whose id is a time-ordered UUID. */
@ObjectType()
@Entity({ abstract: true })
export abstract class UuidEntity extends DatedEntity {
  @IdColumn('uuid')
  id: string = newUuid();
}
