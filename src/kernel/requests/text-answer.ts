import type { ServerResponse } from 'node:http';

/** Answers with text, which leaves in one piece with the headers: their names and values in turn, to which its length in bytes is added. */
export function endWithText(response: ServerResponse, status: number, headers: string[], text: string): void {
  const length = Buffer.byteLength(text);
  headers.push('content-length', String(length));
  // Text without other letters than ASCII's is copied as it is, where UTF-8 would be made of it letter by letter.
  response.writeHead(status, headers).end(text, length === text.length ? 'latin1' : 'utf8');
}
