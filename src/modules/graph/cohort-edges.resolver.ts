import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { Statement } from '../../kernel/context.js';
import { Operation, type OperationContext } from '../../kernel/verb-context.js';
import { idLoader } from '../access/graph/id-loader.js';
import { visibleNode } from '../access/visible-node.js';
import { ConfigRule } from '../config/config-rule.entity.js';
import { Cohort } from '../ingest/cohorts/cohort.entity.js';

const COHORTS = Symbol('cohorts of rules');

const BY_ITEM_AND_NAME: Statement = {
  name: 'cohorts-by-item-and-name',
  text: `select named.place, c.id
           from unnest($1::uuid[], $2::text[]) with ordinality as named(item_id, cohort, place)
           join config_item i on i.id = named.item_id
           join cohort c on c.project_id = i.project_id and c.name = named.cohort`,
};

@Resolver(() => ConfigRule)
export class ConfigRuleCohortEdge {
  @FieldResolver(() => Cohort, {
    nullable: true,
    description: 'The cohort with this name, if the project has one.',
  })
  async cohortNode(
    @Root() { itemId, cohort }: ConfigRule,
    @Operation() operation: OperationContext,
  ): Promise<Cohort | null> {
    const id = await idLoader(operation, COHORTS, BY_ITEM_AND_NAME).load([itemId, cohort]);
    return visibleNode(operation.current, Cohort, id);
  }
}
