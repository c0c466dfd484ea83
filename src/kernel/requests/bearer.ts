const BEARER = /^bearer +([^\s]+)$/i;

export const bearerTokenOf = (authorization: string | undefined): string | null =>
  BEARER.exec(authorization ?? '')?.[1] ?? null;
