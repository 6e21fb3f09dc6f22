import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a block has written, and the first of its commands that failed. */
export interface Ran {
  readonly output: string;
  readonly complaints: string;
  readonly failed: string;
}

/** A terminal that one reader types a page's blocks into: what one block sets, the next one has. */
export function openShell(options: { readonly folder: string; readonly env: NodeJS.ProcessEnv }) {
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd: options.folder,
    env: options.env,
    // A group of its own, so that whatever a block has left in the background ends with it.
    detached: true,
  });
  let output = '';
  let complaints = '';
  let changed = (): void => undefined;
  child.stdout.on('data', (text) => {
    output += String(text);
    changed();
  });
  child.stderr.on('data', (text) => (complaints += String(text)));
  child.once('exit', () => changed());
  child.stdin.on('error', () => undefined);
  // A failed command does not end the shell of somebody who types.
  child.stdin.write(`set -E; trap 'FAILED="\${FAILED:-$BASH_COMMAND}"' ERR\n`);

  async function run(text: string, withinMs: number): Promise<Ran> {
    const mark = randomBytes(8).toString('hex');
    const file = path.join(options.folder, `.block-${mark}.sh`);
    writeFileSync(file, `${text}\n`);
    [output, complaints] = ['', ''];
    child.stdin.write(`FAILED=; . ${file} </dev/null; printf '\\n%s:%s\\n' ${mark} "$FAILED"\n`);
    const { promise, resolve, reject } = Promise.withResolvers<Ran>();
    const late = () => reject(new Error(`it takes more than ${withinMs} ms:\n${output}\n${complaints}`));
    const timer = setTimeout(late, withinMs);
    changed = () => {
      const end = output.indexOf(`\n${mark}:`);
      if (end >= 0)
        resolve({
          output: output.slice(0, end),
          complaints,
          failed: output.slice(end + mark.length + 2).trim(),
        });
      else if (child.exitCode !== null) reject(new Error(`it ends the shell:\n${output}\n${complaints}`));
    };
    changed();
    return promise.finally(() => clearTimeout(timer));
  }

  return {
    run,
    close(): void {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    },
  };
}
