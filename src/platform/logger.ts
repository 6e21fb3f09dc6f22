import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * A JSON logger. Secrets that may pass through logged objects are redacted.
 *
 * @param name which process speaks: `api`, `worker`, `start`
 */
export function createLogger(name: string, level: string): Logger {
  return pino({
    name,
    level,
    redact: {
      paths: ['req.headers.authorization', 'req.headers.cookie', '*.token', '*.deviceToken', '*.password'],
      censor: '[redacted]',
    },
  });
}
