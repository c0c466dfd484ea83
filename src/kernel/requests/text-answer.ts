import type { ServerResponse } from 'node:http';

/**
 * Responds with text, sent in one piece with the headers (alternating names and values), to which Content-Length is
 * added.
 */
export function endWithText(response: ServerResponse, status: number, headers: string[], text: string): void {
  const length = Buffer.byteLength(text);
  headers.push('content-length', String(length));
  // ASCII text is copied unchanged instead of being encoded as UTF-8 character by character.
  response.writeHead(status, headers).end(text, length === text.length ? 'latin1' : 'utf8');
}
