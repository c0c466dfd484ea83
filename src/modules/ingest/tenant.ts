import type { Environment } from '../../kernel/actor.js';

/** The owner of the operations, resolved from the key. */
export interface Tenant {
  organizationId: string;
  projectId: string;
  environment: Environment;
  keyId: string;
}
