import { builtPage } from './built-page.js';
import { PACKAGED_PAGE_POLICY, type PackagedPage } from './packaged-page.js';

/** GraphiQL for the schema of this server. Its editor checks documents in workers of its own. */
export function loadPlayground(): Promise<PackagedPage> {
  return builtPage('playground', '/playground', `${PACKAGED_PAGE_POLICY}; worker-src 'self'`);
}
