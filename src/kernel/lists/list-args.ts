import { IsOptional, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { ArgsType, type ClassType, Field, InputType, Int, registerEnumType } from 'type-graphql';
import { type BothWays, MAX_PAGE, PageArgs } from '../paging.js';
import { enumType } from '../values/enum-type.js';
import type { FieldFilter } from './field-filters.js';
import type { Direction, List } from './list.js';

export const LONGEST_SEARCH = 200;

const DirectionType = enumType('OrderDirection', ['asc', 'desc']);

/** The arguments of every list: a page from either end, an order and a filter. */
export interface ListArgs extends BothWays {
  orderBy?: { field: string; direction: Direction } | null;
  filter?: object | null;
  search?: string | null;
}

/** Relay's paging in both directions. */
@ArgsType()
export class BothWaysArgs extends PageArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'Instead of `first`: how many to return at most from the end of the list, 1 to 100.',
  })
  @IsOptional()
  @Min(1)
  @Max(MAX_PAGE)
  last?: number | null;

  @Field(() => String, { nullable: true, description: 'The startCursor of the following page; use it with `last`.' })
  before?: string | null;
}

/** The arguments of a list with its own order and filter; call it once per list. */
export function listArgs<T extends object>(list: List<T>): ClassType<ListArgs> {
  const orderType = orderInput(list);
  const { field, direction } = list.usualOrder;

  @ArgsType()
  class TheseArgs extends BothWaysArgs {
    @Field(() => orderType, {
      nullable: true,
      description: `Default: by ${field}, ${direction === 'asc' ? 'ascending' : 'descending'}.`,
    })
    orderBy?: ListArgs['orderBy'];

    filter?: object | null;

    search?: string | null;
  }
  if (Object.keys(list.filters).length > 0) {
    const filterType = filterInput(list);
    Field(() => filterType, { nullable: true })(TheseArgs.prototype, 'filter');
    ValidateNested()(TheseArgs.prototype, 'filter');
  }
  if (list.search.length > 0) {
    const description = `Contains this text in ${list.search.join(' or ')}, ignoring case.`;
    Field(() => String, { nullable: true, description })(TheseArgs.prototype, 'search');
    IsOptional()(TheseArgs.prototype, 'search');
    MaxLength(LONGEST_SEARCH)(TheseArgs.prototype, 'search');
  }
  return TheseArgs;
}

function orderInput<T extends object>({ name, orders }: List<T>): ClassType<object> {
  const fields = Object.fromEntries(Object.keys(orders).map((field) => [field, field]));
  registerEnumType(fields, { name: `${name}OrderField` });

  @InputType(`${name}Order`)
  class Order {
    @Field(() => fields)
    field!: string;

    @Field(() => DirectionType, { defaultValue: 'asc' })
    direction!: Direction;
  }
  return Order;
}

function filterInput<T extends object>({ name, filters, aliases }: List<T>): ClassType<object> {
  @InputType(`${name}Filter`, { description: 'Rows must match every given condition.' })
  class Filter {}
  const named = Object.entries(aliases).map(([name, property]) => [name, filters[property]] as const);
  for (const [name, type] of [...Object.entries(filters), ...named]) {
    const successor = Object.entries(aliases).find(([, property]) => property === name)?.[0];
    const deprecationReason = successor && `Use \`${successor}\` instead.`;
    Field(() => type as FieldFilter, { nullable: true, ...(deprecationReason ? { deprecationReason } : {}) })(
      Filter.prototype,
      name,
    );
    ValidateNested()(Filter.prototype, name);
  }
  return Filter;
}
