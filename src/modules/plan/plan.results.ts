import { ObjectType } from 'type-graphql';
import { Deletion } from '../../kernel/node.js';

@ObjectType({ implements: Deletion })
export class DeletedBoard extends Deletion {}

@ObjectType({ implements: Deletion })
export class DeletedTriageRule extends Deletion {}

@ObjectType({ implements: Deletion })
export class DeletedTicket extends Deletion {}
