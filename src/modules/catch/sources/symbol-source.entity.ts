import { Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLURL } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { DatedEntity } from '../../../kernel/database/base-entity.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Project } from '../../access/projects/project.entity.js';
import { SOURCE_LAYOUTS, type SourceLayout } from './source-layouts.js';

const LAYOUTS = Object.keys(SOURCE_LAYOUTS);

export const SourceLayoutType = Object.fromEntries(LAYOUTS.map((layout) => [layout, layout]));
registerEnumType(SourceLayoutType, {
  name: 'SymbolSourceLayout',
  valuesConfig: Object.fromEntries(
    Object.entries(SOURCE_LAYOUTS).map(([layout, { description }]) => [layout, { description }]),
  ),
});

@GraphNode<SymbolSource>({ view: 'catch.symbol_source.view', actions: ['catch.symbol_source.manage'] })
@ObjectType({ implements: Node, description: 'A symbol server that provides symbols missing from crashes.' })
@Entity({ tableName: 'symbol_source' })
@Index({ name: 'symbol_source_list_index', properties: ['projectId', 'createdAt', 'id'] })
export class SymbolSource extends DatedEntity {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('sso');

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;

  @Field(() => SourceLayoutType)
  @Enum({ items: () => LAYOUTS, type: 'text' })
  layout!: SourceLayout;

  @Field(() => GraphQLURL, { description: 'The URL prefix for the paths of the layout.' })
  @Property({ type: 'text' })
  url!: string;

  @Field(() => Boolean, { description: 'If false, nothing is requested from it.' })
  @Property({ type: 'boolean' })
  isEnabled!: boolean;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  lastFoundAt: Date | null = null;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  lastFailedAt: Date | null = null;

  @Field(() => String, {
    nullable: true,
    description: 'The last error; a missing file does not count as one.',
  })
  @Property({ type: 'text', nullable: true })
  lastFailure: string | null = null;
}
