import { Entity, Index } from '@mikro-orm/decorators/legacy';
import { GraphQLURL } from 'graphql-scalars';
import { ObjectType } from 'type-graphql';
import { Column, EnumColumn, IdColumn } from '../../../kernel/database/column.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import { GraphNode } from '../../access/graph/node.js';
import { ProjectEntity } from '../../access/projects/project-entities.js';
import { SOURCE_LAYOUTS, type SourceLayout } from './source-layouts.js';

const LAYOUTS = Object.keys(SOURCE_LAYOUTS);

export const SourceLayoutType = enumType('SymbolSourceLayout', LAYOUTS, {
  valuesConfig: Object.fromEntries(
    Object.entries(SOURCE_LAYOUTS).map(([layout, { description }]) => [layout, { description }]),
  ),
});

@GraphNode<SymbolSource>({ view: 'catch.symbol_source.view', actions: ['catch.symbol_source.manage'] })
@ObjectType({ implements: Node, description: 'A symbol server that provides symbols missing from crashes.' })
@Entity({ tableName: 'symbol_source' })
@Index({ name: 'symbol_source_list_index', properties: ['projectId', 'createdAt', 'id'] })
export class SymbolSource extends ProjectEntity {
  @IdColumn('text')
  id: string = newPrefixedId('sso');

  @Column('text')
  name!: string;

  @EnumColumn(SourceLayoutType)
  layout!: SourceLayout;

  @Column('text', { as: () => GraphQLURL, description: 'The URL prefix for the paths of the layout.' })
  url!: string;

  @Column('boolean', { description: 'If false, nothing is requested from it.' })
  isEnabled!: boolean;

  @Column('Date', { nullable: true })
  lastFoundAt: Date | null = null;

  @Column('Date', { nullable: true })
  lastFailedAt: Date | null = null;

  @Column('text', { nullable: true, description: 'The last error; a missing file does not count as one.' })
  lastFailure: string | null = null;
}
