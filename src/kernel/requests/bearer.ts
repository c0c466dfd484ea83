const BEARER = /^bearer +([^\s]+)$/i;

/** The token of an `Authorization` header with the scheme Bearer; null when there is none. */
export const bearerTokenOf = (authorization: string | undefined): string | null =>
  BEARER.exec(authorization ?? '')?.[1] ?? null;
