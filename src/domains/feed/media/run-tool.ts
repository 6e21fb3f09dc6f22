import { spawn } from 'node:child_process';
import os from 'node:os';

/** Of a tool's output about its failure. */
const KEPT_OUTPUT = 8_192;

export class ToolMissing extends Error {}
export class ToolTimedOut extends Error {}
/** It ended with another code than 0; the message has the end of its output. */
export class ToolFailed extends Error {}

/**
 * Runs a program of the PATH, without a shell and with the lowest priority, and answers its standard output.
 *
 * @throws ToolMissing, ToolTimedOut, ToolFailed; what aborts `signal`, after the program was killed
 */
export async function runTool(
  name: string,
  args: readonly string[],
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<string> {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const child = spawn(name, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, timeout]),
    killSignal: 'SIGKILL',
  });
  if (child.pid !== undefined) lower(child.pid);
  let output = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-KEPT_OUTPUT);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  let fault: NodeJS.ErrnoException | undefined;
  // What cannot be read is missing from the output; the tool's exit code says how it ended.
  for (const stream of [child.stdout, child.stderr]) stream.on('error', () => undefined);
  child.on('error', (error) => {
    fault = error;
    // A program that never ran never closes.
    if (child.pid === undefined) reject(error);
  });
  child.on('close', resolve);
  const code = await promise.catch(() => null);
  if (fault?.code === 'ENOENT') throw new ToolMissing(name, { cause: fault });
  signal.throwIfAborted();
  if (timeout.aborted) throw new ToolTimedOut(name);
  if (fault) throw fault;
  if (code !== 0) throw new ToolFailed(`${name} ended with ${code}: ${complaint}`);
  return output;
}

function lower(pid: number): void {
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already.
  }
}
