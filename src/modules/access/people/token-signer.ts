import { hash } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, jwtVerify, SignJWT } from 'jose';
import { ROLES, type Role } from '../../../kernel/actor.js';
import type { Clock } from '../../../kernel/clock.js';
import type { TokenClaims } from './token-claims.js';
import { VerifiedTokens } from './verified-tokens.js';

const ISSUER = 'quarterdeck';
const AUDIENCE = 'quarterdeck';
const MAX_TOKEN_LENGTH = 8_192;
/** Seconds by which the clock of a process that signed a token may be ahead. */
const CLOCKS_DIFFER_BY = 900;

/** A verified token of an external issuer: only the email counts, for a user that exists here. */
export interface ExternalClaims {
  email: string;
  organizationId: string | null;
  jti: string;
  issuedAt: Date;
}

export interface ExternalIssuer {
  jwksUrl: string;
  issuer: string;
}

interface Secret {
  kid: string;
  key: Uint8Array;
}

/** Signs and verifies access tokens: HS256, with the secret chosen by `kid`; the rest of the header is fixed. */
export class TokenSigner {
  private readonly secrets: readonly Secret[];
  private readonly verified = new VerifiedTokens();
  private readonly external: { keys: ReturnType<typeof createRemoteJWKSet>; issuer: string } | null;

  /** `secrets`: the one used for signing first, then those still accepted. */
  constructor(
    secrets: readonly string[],
    private readonly clock: Clock,
    external: ExternalIssuer | null,
  ) {
    this.secrets = secrets.map((secret) => ({
      kid: hash('sha256', secret, 'base64url').slice(0, 12),
      key: new TextEncoder().encode(secret),
    }));
    this.external = external && { keys: createRemoteJWKSet(new URL(external.jwksUrl)), issuer: external.issuer };
  }

  async sign(claims: TokenClaims, expiresAt: Date): Promise<string> {
    const { typ, sub, jti, org, email, role, credentialId } = claims;
    const { kid, key } = this.secrets[0] as Secret;
    return new SignJWT({ typ, org, email, role, ...(credentialId ? { crd: credentialId } : {}) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(sub)
      .setJti(jti)
      .setIssuedAt(seconds(claims.issuedAt))
      .setExpirationTime(seconds(expiresAt))
      .sign(key);
  }

  /** The claims of a token that this server signed and that is neither expired nor from the future; otherwise null. */
  async verify(token: string): Promise<TokenClaims | null> {
    if (token.length > MAX_TOKEN_LENGTH) return null;
    const known = this.verified.get(token, this.clock.now());
    if (known) return known;
    try {
      const { payload } = await jwtVerify(token, (header) => this.keyFor(header.kid), {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: 'JWT',
        requiredClaims: ['sub', 'jti', 'iat', 'exp', 'typ', 'org', 'email', 'role'],
        currentDate: this.clock.now(),
      });
      const { typ, sub, jti, iat, org, email, role, crd } = payload;
      if (typ !== 'user' && typ !== 'api_token') return null;
      if (!isRole(role) || typeof org !== 'string' || typeof email !== 'string') return null;
      if (typeof iat !== 'number' || iat > seconds(this.clock.now()) + CLOCKS_DIFFER_BY) return null;
      const claims: TokenClaims = {
        typ,
        sub: String(sub),
        jti: String(jti),
        org,
        email,
        role,
        issuedAt: new Date(iat * 1000),
        ...(typeof crd === 'string' ? { credentialId: crd } : {}),
      };
      this.verified.keep(token, claims, new Date(Number(payload.exp) * 1000));
      return claims;
    } catch {
      return null;
    }
  }

  /** When a token that {@link verify} accepted expires. */
  expiryOf(token: string): Date {
    return new Date(Number(decodeJwt(token).exp) * 1000);
  }

  /** The claims of an external issuer's token (a setting); null if there is no issuer or the token doesn't verify. */
  async verifyExternal(token: string): Promise<ExternalClaims | null> {
    if (!this.external || token.length > MAX_TOKEN_LENGTH) return null;
    try {
      const { payload } = await jwtVerify(token, this.external.keys, {
        algorithms: ['RS256', 'ES256', 'EdDSA'],
        issuer: this.external.issuer,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'iat', 'exp', 'email'],
        currentDate: this.clock.now(),
      });
      if (typeof payload.email !== 'string' || payload.email_verified === false) return null;
      return {
        email: payload.email.toLowerCase(),
        organizationId: typeof payload.org === 'string' ? payload.org : null,
        jti: String(payload.jti ?? payload.sub),
        issuedAt: new Date(Number(payload.iat) * 1000),
      };
    } catch {
      return null;
    }
  }

  private keyFor(kid: string | undefined): Uint8Array {
    const secret = kid === undefined ? this.secrets[0] : this.secrets.find((candidate) => candidate.kid === kid);
    if (!secret) throw new Error('the token names a key that is not in use');
    return secret.key;
  }
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}
