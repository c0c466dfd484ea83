import type { Role } from '../../../kernel/actor.js';

/** What a token says that this server has signed. */
export interface TokenClaims {
  typ: 'user' | 'api_token';
  sub: string;
  jti: string;
  org: string;
  email: string;
  role: Role;
  issuedAt: Date;
  /** Of a session: which of the account's passwords began it; absent in one of the release before. */
  credentialId?: string;
}
