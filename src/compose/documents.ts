import { DocumentsResolver } from '../modules/documents/documents.resolver.js';
import { StoredDocumentService } from '../modules/documents/stored-document.service.js';
import type { Composed, Parts } from './parts.js';

export function composeDocuments({ operators, events }: Parts) {
  const services = { storedDocuments: new StoredDocumentService(operators, events) };
  return { services, resolvers: [new DocumentsResolver(services.storedDocuments)] } satisfies Composed<typeof services>;
}
