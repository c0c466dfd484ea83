import type { Environment } from '../../kernel/actor.js';

export interface Tenant {
  organizationId: string;
  projectId: string;
  environment: Environment;
  keyId: string;
}
