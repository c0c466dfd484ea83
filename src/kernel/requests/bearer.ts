const BEARER = /^bearer +([^\s]+)$/i;

/** The token of a Bearer `Authorization` header, or null. */
export const bearerTokenOf = (authorization: string | undefined): string | null =>
  BEARER.exec(authorization ?? '')?.[1] ?? null;
