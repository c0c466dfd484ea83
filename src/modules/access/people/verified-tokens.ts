import { LRUCache } from 'lru-cache';
import type { TokenClaims } from './token-claims.js';

const MOST_TOKENS = 1_000;
const LONGEST_KEPT = 2_048;

interface Verified {
  claims: TokenClaims;
  expiresAt: Date;
}

/**
 * The claims of tokens with a verified signature, so that a caller's next requests need no cryptography. It doesn't cache what can change:
 * the user's standing and whether the token is revoked.
 */
export class VerifiedTokens {
  private readonly known = new LRUCache<string, Verified>({ max: MOST_TOKENS });

  /** The claims of a cached token that has not expired. */
  get(token: string, now: Date): TokenClaims | null {
    const found = this.known.get(token);
    if (!found) return null;
    if (found.expiresAt > now && found.claims.issuedAt <= now) return found.claims;
    this.known.delete(token);
    return null;
  }

  keep(token: string, claims: TokenClaims, expiresAt: Date): void {
    if (token.length <= LONGEST_KEPT) this.known.set(token, { claims, expiresAt });
  }
}
