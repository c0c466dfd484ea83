import type { Environment } from '../../kernel/actor.js';

/** Whose operations these are: what the key resolved to. */
export interface Tenant {
  organizationId: string;
  projectId: string;
  environment: Environment;
  keyId: string;
}
