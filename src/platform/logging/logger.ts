import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { tracer } from '../tracing/tracing.js';
import { logOutput } from './log-output.js';
import { thinOut } from './repeated-lines.js';

export type { Logger } from 'pino';

const WARN = 40;
const FATAL = 60;

/**
 * A JSON logger. Secrets that may pass through logged objects are redacted.
 *
 * Warnings and errors that repeat are thinned out: of each kind, which is level, message, what it is about (a task, a queue, a
 * projector) and the error's code or name, the first 5 lines pass, then fewer and fewer, at last one a minute, whose `suppressed` says
 * how many were dropped since the last. A line with an `errorId` always passes, since a client was
 * given that id to find it by.
 *
 * Where traces are on, a line that is written while a span is active has its `trace_id` and `span_id`.
 *
 * Logging never waits for the log's reader: lines that would have to wait for too long are dropped, and a line says how many.
 *
 * @param name which process speaks: `api`, `worker`, `start`
 * @param out where lines go; by default standard output
 */
export function createLogger(name: string, level: string, out?: DestinationStream): Logger {
  const pass = thinOut();
  const options = {
    name,
    level,
    ...(tracer() && { mixin: () => tracer()?.ids() ?? {} }),
    redact: {
      paths: [
        'req.headers.authorization',
        'req.headers.cookie',
        '*.token',
        '*.deviceToken',
        '*.password',
        // Of a command of Redis that failed: its password, where it was to sign in; keys and values else.
        'err.command.args',
        'err.*.command.args',
      ],
      censor: '[redacted]',
    },
    hooks: {
      logMethod(this: Logger, given: Parameters<LogFn>, method: LogFn, lineLevel: number) {
        const [first, message = first] = given as unknown[];
        if (lineLevel < WARN || lineLevel >= FATAL || typeof message !== 'string' || hasErrorId(first))
          return method.apply(this, given);
        const passed = pass(kindOf(this, lineLevel, message, first), performance.now());
        if (!passed) return;
        if (passed.suppressed === 0) return method.apply(this, given);
        const fields = typeof first === 'object' && first !== null ? first : {};
        method.apply(this, [{ ...fields, suppressed: passed.suppressed }, message]);
      },
    },
  };
  if (out) return pino(options, out);
  const output = logOutput((dropped) => {
    pino({ name, level }, output).warn({ dropped }, 'lines of the log were dropped: nobody read them');
  });
  return pino(options, output);
}

/** Fields with few values that say what a line is about. */
const SUBJECTS = ['task', 'queue', 'projector'] as const;

/** Rare lines must not be dropped with frequent ones of another subject or cause. */
function kindOf(logger: Logger, level: number, message: string, first: unknown): string {
  const own = typeof first === 'object' && first !== null ? first : {};
  const fields: Record<string, unknown> = { ...logger.bindings(), ...own };
  const error = (first instanceof Error ? first : fields.err) as Partial<NodeJS.ErrnoException> | undefined;
  const about = SUBJECTS.map((subject) => fields[subject]);
  return JSON.stringify([level, message, ...about, error?.code ?? error?.name]);
}

const hasErrorId = (fields: unknown): boolean =>
  typeof fields === 'object' && fields !== null && 'errorId' in fields;
