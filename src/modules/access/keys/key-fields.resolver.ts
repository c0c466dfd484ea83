import { FieldResolver, Resolver, Root } from 'type-graphql';
import { Operation, type OperationContext } from '../../../kernel/verb-context.js';
import type { Action } from '../actions.js';
import { ActionType } from '../graph/node.js';
import { ApiToken } from './api-token.entity.js';
import type { ApiTokenService } from './api-token.service.js';

@Resolver(() => ApiToken)
export class ApiTokenFields {
  constructor(private readonly tokens: ApiTokenService) {}

  @FieldResolver(() => ApiToken, { nullable: true, description: 'The API token that created it.' })
  parent(@Operation() { current }: OperationContext, @Root() token: ApiToken): Promise<ApiToken | null> {
    return this.tokens.parent(current, token);
  }

  @FieldResolver(() => [ActionType], { description: 'What you may do with it.' })
  viewerCan(@Operation() { current }: OperationContext, @Root() token: ApiToken): Promise<Action[]> {
    return this.tokens.actionsOn(current, token);
  }
}
