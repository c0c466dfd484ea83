import type { Role } from '../../../kernel/actor.js';

export interface TokenClaims {
  typ: 'user' | 'api_token';
  sub: string;
  jti: string;
  org: string;
  email: string;
  role: Role;
  issuedAt: Date;
  /** Of a session: which of the account's passwords started it; absent in sessions from the previous release. */
  credentialId?: string;
}
