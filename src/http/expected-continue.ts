import type { Server } from 'node:http';

/**
 * Tells a client that asks before it sends its body (`Expect: 100-continue`) to go on once somebody reads it, so that whoever is refused
 * by the head alone sends nothing; Node by itself says so to everybody.
 */
export function continueWhenRead(server: Server): Server {
  return server.on('checkContinue', (request, response) => {
    const onListener = (event: string | symbol) => {
      if (event !== 'data' && event !== 'readable') return;
      request.off('newListener', onListener);
      if (!response.headersSent) response.writeContinue();
    };
    request.on('newListener', onListener);
    server.emit('request', request, response);
  });
}
