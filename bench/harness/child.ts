import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Answer, Methods, Question } from './answer-parent.ts';

/** A process of its own whose functions are called as if they were here. */
export interface Child<M extends Methods> {
  /** Its process; undefined where it could not be started. */
  readonly pid: number | undefined;
  /** Calls a function there. Rejects with its error, or when the process ends before it answered. */
  call<Name extends keyof M & string>(
    name: Name,
    ...args: Parameters<M[Name]>
  ): Promise<Awaited<ReturnType<M[Name]>>>;
  /** Ends the process; resolves when it is gone. */
  stop(): Promise<void>;
}

/**
 * Whether processes can be pinned to cores here: Linux with `taskset` and a second core for the load.
 * Elsewhere benchmarks run unpinned, which makes figures noisier.
 */
export async function canPin(): Promise<boolean> {
  if (availableParallelism() < 2) return false;
  const probe = spawn('taskset', ['-c', '0,1', 'true'], { stdio: 'ignore' });
  return await new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.once('exit', (code) => resolve(code === 0));
  });
}

/**
 * Starts `script`, a module that calls `answerParent`, in a production environment.
 *
 * @param core the only core that it may use; undefined for any
 * @param scriptArgs what the script finds in `process.argv`
 */
export function startChild<M extends Methods>(
  script: URL,
  core?: number,
  scriptArgs: readonly string[] = [],
): Child<M> {
  const command = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(script),
    ...scriptArgs,
  ];
  if (core !== undefined) command.unshift('taskset', '-c', String(core));
  const [file = process.execPath, ...args] = command;
  const child = spawn(file, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const waiting = awaitAnswers(child, file);
  let asked = 0;
  return {
    pid: child.pid,
    call(name, ...args) {
      asked += 1;
      const question: Question = { id: asked, name, args };
      return new Promise((resolve, reject) => {
        waiting.set(question.id, { resolve, reject });
        if (child.connected) child.send(question);
        else reject(new Error(`${fileURLToPath(script)} is not running`));
      });
    },
    stop: () => stop(child),
  };
}

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

function awaitAnswers(child: ChildProcess, file: string): Map<number, Waiting> {
  const waiting = new Map<number, Waiting>();
  const failAll = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  child.on('message', (answer: Answer) => {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) asker?.reject(new Error(answer.error));
    else asker?.resolve(answer.value as never);
  });
  child.once('error', failAll);
  child.once('exit', (code, signal) => failAll(new Error(`${file} ended early (${signal ?? code})`)));
  return waiting;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const impatience = setTimeout(() => child.kill('SIGKILL'), 5000);
  if (child.connected) child.disconnect();
  await gone;
  clearTimeout(impatience);
}
