import { createServer, request, type Server } from 'node:http';
import { openLocally } from './open-locally.js';

/** A connection to the server that can break: requests are passed on, or answered with the status `broken`. */
export async function lineTo(
  baseUrl: string,
): Promise<{ url: string; line: { broken: number | null; taken: number }; server: Server }> {
  const line = { broken: null as number | null, taken: 0 };
  const server = createServer((incoming, answer) => {
    if (line.broken !== null) {
      answer.writeHead(line.broken, { 'retry-after': '0' }).end('{}');
      return;
    }
    const passed = request(
      baseUrl + incoming.url,
      { method: incoming.method, headers: incoming.headers },
      (answered) => {
        if (incoming.url?.startsWith('/api/v1/batch')) line.taken += 1;
        answer.writeHead(answered.statusCode ?? 500, answered.headers);
        answered.pipe(answer);
      },
    );
    incoming.pipe(passed);
  });
  return { url: await openLocally(server), line, server };
}
