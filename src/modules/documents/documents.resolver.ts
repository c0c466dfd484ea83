import { ArrayMaxSize, ArrayMinSize } from 'class-validator';
import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Field,
  FieldResolver,
  ID,
  Info,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import { Deletion } from '../../kernel/node.js';
import { connectionOf, type Page } from '../../kernel/paging.js';
import { IsName } from '../../kernel/values/is-name.js';
import { VerbContext } from '../../kernel/verb-context.js';
import type { OperatorAction } from '../access/actions.js';
import { ActionType } from '../access/graph/node.js';
import { StoredDocumentListArgs } from './document-list.js';
import { StoredDocument } from './stored-document.entity.js';
import { type StoredDocumentService, setId } from './stored-document.service.js';

const StoredDocumentConnection = connectionOf(StoredDocument, 'StoredDocument');

@InputType({ description: 'Identifies the documents of one version of a client.' })
class DocumentSetInput {
  @Field(() => String)
  @IsName(100)
  app!: string;

  @Field(() => String)
  @IsName(100)
  version!: string;
}

@InputType()
class StoreDocumentsInput extends DocumentSetInput {
  @Field(() => [String], { description: 'Texts of documents, 1 to 500.' })
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  documents!: string[];
}

@ObjectType({ implements: Deletion, description: 'The id is the client and the version, with a space between them.' })
class DeletedDocuments extends Deletion {
  @Field(() => Int, { description: 'How many documents were deleted.' })
  deleted!: number;
}

@Resolver(() => StoredDocument)
export class DocumentsResolver {
  constructor(private readonly stored: StoredDocumentService) {}

  @Query(() => StoredDocumentConnection, { description: 'Documents of a client. Operators only.' })
  storedDocuments(
    @VerbContext() ctx: Context,
    @Arg('app') app: string,
    @Args(() => StoredDocumentListArgs) args: ListArgs,
  ): Promise<Page<StoredDocument>> {
    return this.stored.list(ctx, app, args);
  }

  @Query(() => StoredDocument, { description: 'A stored document by its id. Operators only.' })
  storedDocument(
    @VerbContext() ctx: Context,
    @Arg('id', () => ID, { description: 'The id of the document, not its hash.' }) id: string,
  ): Promise<StoredDocument> {
    return this.stored.get(ctx, id);
  }

  /** Only operators see them. */
  @FieldResolver(() => [ActionType], { description: 'What you may do with it.' })
  viewerCan(): readonly OperatorAction[] {
    return ['document.manage'];
  }

  @Mutation(() => [StoredDocument], {
    description:
      'Stores documents under their hashes: all of them, or none if one does not match the schema. Operators only.',
  })
  storeDocuments(
    @VerbContext() ctx: Context,
    @Arg('input') input: StoreDocumentsInput,
    @Info() { schema }: GraphQLResolveInfo,
  ): Promise<StoredDocument[]> {
    return this.stored.store(ctx, input, input.documents, schema);
  }

  @Mutation(() => DeletedDocuments, {
    description: 'Deletes the documents of a client version that is no longer in use.',
  })
  async deleteDocuments(@VerbContext() ctx: Context, @Arg('input') input: DocumentSetInput): Promise<DeletedDocuments> {
    return { id: setId(input), deleted: await this.stored.remove(ctx, input) };
  }
}
