import { MaxLength } from 'class-validator';
import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { enumFilter, InstantFilter, TextFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { connectionOf } from '../../../kernel/paging.js';
import { IsName } from '../../../kernel/values/is-name.js';
import { IdInput, ProjectInput } from '../../access/ids.inputs.js';
import type { SourceLayout } from './source-layouts.js';
import { SourceLayoutType, SymbolSource } from './symbol-source.entity.js';

export const SYMBOL_SOURCES = listOf(SymbolSource, {
  owner: 'projectId',
  orders: { createdAt: ['createdAt'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { name: TextFilter, layout: enumFilter(SourceLayoutType, 'SymbolSourceLayout'), createdAt: InstantFilter },
});

@ArgsType()
export class SymbolSourceListArgs extends listArgs(SYMBOL_SOURCES) {}

export const SymbolSourceConnection = connectionOf(SymbolSource, 'SymbolSource');

@ObjectType({ description: "A symbol server's response to a test." })
export class SymbolSourceTest {
  @Field(() => Int, { nullable: true, description: 'The HTTP status; null if there was no response.' })
  status!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why the test failed, in the format of `lastFailure`; null if it succeeded.',
  })
  failure!: string | null;

  @Field(() => Int, { description: 'Duration of the test.' })
  milliseconds!: number;
}

@InputType()
export class CreateSymbolSourceInput extends ProjectInput {
  @Field(() => String)
  @IsName()
  name!: string;

  @Field(() => SourceLayoutType)
  layout!: SourceLayout;

  @Field(() => String, {
    description: 'http or https, without credentials; private addresses only if the server allows them.',
  })
  @MaxLength(2_000)
  url!: string;
}

@InputType()
export class UpdateSymbolSourceInput extends IdInput {
  @Field(() => String, { nullable: true })
  @IsName()
  name?: string | null;

  @Field(() => String, { nullable: true })
  @MaxLength(2_000)
  url?: string | null;

  @Field(() => Boolean, { nullable: true })
  isEnabled?: boolean | null;
}
