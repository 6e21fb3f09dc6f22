import { withinMs } from './deadline.js';

/** A reader that has not taken the rest by then is stalled. */
const TAKEN_MS = 1_000;

/**
 * Resolves once what was written to standard output and standard error was taken, or after a second: `process.exit`
 * drops what a full pipe has not taken yet.
 */
export async function outputTaken(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(taken));
}

async function taken(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return;
  const written = new Promise<void>((resolve) => stream.write('', () => resolve()));
  await withinMs(TAKEN_MS, written).catch(() => undefined);
}
