import { Entity, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { UuidEntity } from '../../../kernel/database/base-entity.js';
import { Column, EnumColumn } from '../../../kernel/database/column.js';
import { Node } from '../../../kernel/node.js';
import { withoutEmailsInRules } from '../../../kernel/targeting/conditions-without-emails.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import type { FlagBehaviour } from '../../../targeting/flags/flag-definition.js';
import { Edge } from '../../access/graph/edge.js';
import { User } from '../../access/people/user.entity.js';
import { Flag } from './flag.entity.js';

export const FLAG_ACTIONS = ['created', 'changed', 'halted', 'resumed', 'archived', 'unarchived'] as const;
export type FlagAction = (typeof FLAG_ACTIONS)[number];
const FlagActionType = enumType('FlagAction', FLAG_ACTIONS);

@ObjectType({ implements: Node, description: 'The state of a flag after a change; never altered or removed.' })
@Entity({ tableName: 'flag_version' })
@Index({ name: 'flag_version_created_index', properties: ['flagId', 'createdAt', 'id'] })
@Unique({ name: 'flag_version_number_unique', properties: ['flagId', 'versionNumber'] })
export class FlagVersion extends UuidEntity {
  @Column('text', { as: () => ID })
  flagId!: string;

  @Edge(() => Flag, 'flagId')
  flag?: Flag;

  @Column('integer')
  versionNumber!: number;

  @EnumColumn(FlagActionType)
  action!: FlagAction;

  @Field(() => GraphQLJSON, { description: '{variants, defaultVariant, rules, prerequisites}' })
  @RedactedBelowEditor({ redact: withoutEmailsInRules<FlagBehaviour>, projectOf: 'flag' })
  @Property({ type: 'json', columnType: 'json' })
  behaviour!: FlagBehaviour;

  @Column('text')
  actorId!: string;

  @Edge(() => User, 'actorId', 'Null if a key or the server made the change.')
  actor?: User;

  @Column('text')
  actorEmail!: string;

  @Column('text', { nullable: true, description: 'Note of the change, or reason for the halt.' })
  note: string | null = null;

  @Column('text', { nullable: true, description: 'The link given as evidence for the halt.' })
  evidenceUrl: string | null = null;
}
