import { pino } from 'pino';

export type Logger = pino.Logger;

/** Paths that must never reach a log line, whatever object is logged. */
const SECRET_PATHS = ['authorization', 'password', 'secret', 'token', 'apiKey', 'email'];

/** Structured JSON logs, on standard error by default; standard output is for people (progress, "try it"). */
export function createLogger(
  level: string,
  destination: pino.DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[redacted]' },
    },
    destination,
  );
}

/**
 * Node's HTTP parser attaches a request's raw bytes to its errors, and pg its client, which contain headers, keys and
 * settings.
 */
function describeError(error: Error): object {
  const { rawPacket, client, ...described } = pino.stdSerializers.err(error);
  return described;
}
