import type { Server } from 'node:http';

/**
 * Tells a client that waits with its body (`Expect: 100-continue`) to continue once the body is read, so that a client rejected by its
 * headers sends nothing. Node by default tells every client to continue.
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
