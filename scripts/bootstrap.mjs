// npm start: installs what is missing, builds what is stale, runs `tidings start`. Plain Node, no packages:
// it runs on whatever Node the machine has; the product runs on node_modules/.bin/node (provide-node.mjs).
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

const root = fileURLToPath(new URL('..', import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  say(`tidings needs Node 20.19 or later to install itself; this is ${process.versions.node}`);
  process.exit(1);
}
installPackages('.');
const { freshBuild } = await import('./fresh-build.mjs');
await freshBuild();
run();

function run() {
  const node = path.join(root, 'node_modules', '.bin', 'node');
  // In a process group of its own, so that Ctrl-C arrives by one way only: through here.
  const child = spawn(node, [path.join(root, 'dist', 'main.js'), 'start', ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  let last = Number.NEGATIVE_INFINITY;
  const pass = (signal) => {
    // npm passes on the Ctrl-C that the terminal has sent here already: the two are one.
    if (performance.now() - last < 500) return;
    last = performance.now();
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
  // npm passes SIGTERM to its shell, which may end without passing it on: this process is an orphan then.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === 'start')
    setInterval(() => process.ppid !== parent && pass('SIGTERM'), 1_000).unref();
  child.on('error', (error) => {
    say(`cannot run ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}
