import { builtPage } from './built-page.js';
import { PACKAGED_PAGE_POLICY, type PackagedPage } from './packaged-page.js';

/** GraphiQL for this server's schema. Its editor validates documents in its own workers. */
export function loadPlayground(): Promise<PackagedPage> {
  return builtPage('playground', '/playground', `${PACKAGED_PAGE_POLICY}; worker-src 'self'`);
}
