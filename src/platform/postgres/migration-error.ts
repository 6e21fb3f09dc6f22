import pg from 'pg';

/** The database could not be brought up to date. The message is one line that a person can act on. */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationError';
  }
}

/** One line about an error; with the script that Postgres refused, also the line where it stopped reading. */
export function readable(error: unknown, script?: string): string {
  const message = reasonOf(error)
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
  if (!script || !(error instanceof pg.DatabaseError) || !error.position) return message;
  const line = script.slice(0, Number(error.position)).split('\n').length;
  return `${message} (line ${line})`;
}

function reasonOf(error: unknown): string {
  // Node reports a refused connection to a name with two addresses as an aggregate without a message.
  if (error instanceof AggregateError && !error.message) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
