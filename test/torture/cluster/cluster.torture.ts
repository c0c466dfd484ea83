import type { TortureContext, TortureRow } from '../torture.js';
import { endMembers } from './cluster-kills.js';
import { passTheRestSuite } from './rest-suite.js';

export const name = 'cluster';
export const usualCount = 20;

/**
 * Two API processes and a worker behind a proxy: runs the REST suite, then ends every process repeatedly under load.
 */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  return [await passTheRestSuite(torture), ...(await endMembers(torture))];
}
