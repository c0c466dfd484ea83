import { openApiDocument } from '../../../rest/openapi/document.js';
import type { Route } from '../../../rest/route.js';

/** The expected text of `docs/openapi.json`. */
export function openApiText(routes: readonly Route[]): string {
  return `${JSON.stringify(openApiDocument(routes), null, 2)}\n`;
}
