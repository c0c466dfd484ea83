import { openApiDocument } from '../../../rest/openapi/document.js';
import type { Route } from '../../../rest/route.js';

/** What `docs/openapi.json` must hold. */
export function openApiText(routes: readonly Route[]): string {
  return `${JSON.stringify(openApiDocument(routes), null, 2)}\n`;
}
