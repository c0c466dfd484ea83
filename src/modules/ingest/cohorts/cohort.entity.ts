import { Entity, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { Field, ObjectType } from 'type-graphql';
import { Column, IdColumn } from '../../../kernel/database/column.js';
import { TextIndex } from '../../../kernel/database/indexes.js';
import { TextArrayType } from '../../../kernel/database/text-array.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import type { Rule } from '../../../targeting/rules/rule.js';
import { GraphNode } from '../../access/graph/node.js';
import { ProjectEntity } from '../../access/projects/project-entities.js';
import { CohortRule } from './cohort-rule.types.js';

@GraphNode<Cohort>({ view: 'cohort.view', actions: ['cohort.change'] })
@ObjectType({
  implements: Node,
  description: 'A named set of persons: those who match a predicate, or those in a list of ids or covered by rules.',
})
@Entity({ tableName: 'cohort' })
@TextIndex('cohort_text_index', 'cohort', ['name', 'description'])
@Index({ name: 'cohort_created_index', properties: ['projectId', 'createdAt', 'id'] })
@Unique({ name: 'cohort_name_unique', properties: ['projectId', 'name'] })
export class Cohort extends ProjectEntity {
  [OptionalProps]?: 'description';

  @IdColumn('text')
  id: string = newPrefixedId('coh');

  @Column('text')
  name!: string;

  @Column('text')
  description: string = '';

  @Column('text', { nullable: true })
  @RedactedBelowEditor()
  predicate: string | null = null;

  @Field(() => [String], { nullable: true })
  @RedactedBelowEditor()
  @Property({ type: TextArrayType, columnType: 'text[]', nullable: true })
  distinctIds: string[] | null = null;

  @Field(() => [CohortRule], { nullable: true, description: 'Persons covered by one of them are in it too.' })
  @RedactedBelowEditor()
  @Property({ type: 'json', columnType: 'json', nullable: true })
  rules: readonly Rule[] | null = null;

  @Column('Date')
  updatedAt!: Date;
}
