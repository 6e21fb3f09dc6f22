// Builds the console, the reader and the other pages (web/) into dist/web, when that was not made from the sources that
// are here. Installs web's own packages where they are missing or older than its lock file, and types its operations.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { fingerprint, root } from './fingerprint.mjs';
import { installPackages } from './install-packages.mjs';
import { isWebFresh, webMark, webSources } from './web-sources.mjs';

const say = (line) => process.stderr.write(`${line}\n`);
const web = path.join(root, 'web');

if (!isWebFresh()) {
  installPackages('web');
  await typeOperations();
  build();
}

/** The same as `npm run codegen` does, of web's operations alone. */
async function typeOperations() {
  const { generate } = await import('@graphql-codegen/cli');
  const { generates, ...common } = parse(readFileSync(path.join(root, 'codegen.yml'), 'utf8'));
  const own = Object.entries(generates).filter(([output]) => output.startsWith('web/'));
  await generate({ ...common, cwd: root, silent: true, generates: Object.fromEntries(own) }, true);
}

function build() {
  const before = fingerprint(webSources);
  say('building the web pages');
  const vite = path.join(web, 'node_modules', 'vite', 'bin', 'vite.js');
  run(process.execPath, [vite, 'build', '--logLevel', 'error'], web);
  writeFileSync(webMark, before);
}

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  say(`${path.basename(command)} ${args.join(' ')} failed: see above`);
  process.exit(1);
}
