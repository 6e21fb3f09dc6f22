// The entry of `npm run bench -- NAME`. Plain JavaScript, so that any Node can read it and say what is missing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../scripts/install-packages.mjs';

const bench = fileURLToPath(new URL('.', import.meta.url));

installPackages('bench');
// The harness and the servers are TypeScript, which the project's own Node runs as it is.
const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
await run(node, [`${bench}harness/main.ts`, ...process.argv.slice(2)]);

/** Runs to the end and ends this process too when it failed; `stdout` 2 keeps chatter out of the result. */
async function run(command, args, stdout = 1) {
  const child = spawn(command, args, { stdio: ['ignore', stdout, 2] });
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  const [code] = await once(child, 'exit');
  process.off('SIGINT', pass).off('SIGTERM', pass);
  if (code !== 0) process.exit(code ?? 1);
}
