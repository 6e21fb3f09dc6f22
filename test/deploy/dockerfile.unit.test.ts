import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { COMMANDS, configIn, dockerfile, imageEnvironment, instructionsOf, secrets } from './image.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What only a laptop runs: the image has no embedded servers and no demo. */
const FOR_LAPTOPS = /^(local|demo|sandbox|start\.ts)/;

const copied = instructionsOf('COPY').map(
  (rest) => rest.replace(/--from=build \/opt\/tidings\//, '').split(' ')[0]!,
);

it('the image has every file outside of the built code that a process reads', () => {
  const read = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !FOR_LAPTOPS.test(file))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, 'src', file), 'utf8');
      return [...text.matchAll(/new URL\('(\.\.\/[^']*)', import\.meta\.url\)/g)].map(([, target]) =>
        path.join('src', path.dirname(file), target!),
      );
    })
    .filter((target) => !target.startsWith('src') && !target.startsWith('node_modules/.cache'));
  expect(read).toContain('package.json');
  expect(read).toContain('rules/default.yaml');
  const isCopied = (target: string) =>
    copied.some((one) => `${target}/`.startsWith(`${one}/`) || target.startsWith(one));
  expect(read.filter((target) => !isCopied(target))).toEqual([]);
});

it('everything that the image is made from is there, and is not left out of the build', () => {
  const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n');
  const made = ['node_modules', 'dist'];
  for (const source of copied.filter((one) => !made.includes(one))) {
    expect(existsSync(path.join(root, source)), source).toBe(true);
    expect(ignored).not.toContain(source.replace(/\/$/, ''));
  }
  // Neither what was installed for another machine nor anything secret.
  expect(ignored).toEqual(expect.arrayContaining(['**/node_modules', '.env', '.git', '**/.tidings']));
  expect(readFileSync(path.join(root, '.gitignore'), 'utf8').split('\n')).toContain('/.env');
});

it('the image runs an api as somebody who is not root, on ports that are open to the network', () => {
  expect(instructionsOf('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  expect(COMMANDS).toContain(JSON.parse(instructionsOf('CMD')[0]!)[0]);
  const config = configIn(secrets);
  expect(config.environment).toBe('production');
  expect([config.host, config.metricsHost, config.workerHost]).toEqual(['0.0.0.0', '0.0.0.0', '0.0.0.0']);
  const ports = [config.port, config.metricsPort, config.workerPort];
  expect(instructionsOf('EXPOSE')[0]!.split(' ').map(Number)).toEqual(ports);
});

it('the image’s user finds the code that was compiled for them while it was built', () => {
  const [user, group] = instructionsOf('USER')[0]!.split(':');
  expect(dockerfile).toContain(`setpriv --reuid=${user} --regid=${group} --clear-groups node dist/main.js`);
});

it('the image keeps no secret', () => {
  expect(
    Object.keys(imageEnvironment).filter((name) => /SECRET|KEY|TOKEN|PASSWORD|_URL$/.test(name)),
  ).toEqual([]);
});
