import { ExactTextFilter, InstantFilter } from '../../kernel/lists/field-filters.js';
import { listOf } from '../../kernel/lists/list.js';
import { listArgs } from '../../kernel/lists/list-args.js';
import { StoredDocument } from './stored-document.entity.js';

export const STORED_DOCUMENTS = listOf(StoredDocument, {
  owner: 'app',
  orders: { createdAt: ['createdAt'], version: ['version'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { version: ExactTextFilter, hash: ExactTextFilter, createdAt: InstantFilter },
});

export const StoredDocumentListArgs = listArgs(STORED_DOCUMENTS);
