import { readFileSync } from 'node:fs';
import { environment, readConfig } from '../../src/config.js';

const root = new URL('../../', import.meta.url);

export const dockerfile = readFileSync(new URL('Dockerfile', root), 'utf8');
const lines = dockerfile
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter(Boolean);
const instructions = lines
  .slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  .map((line) => ({ name: line.split(' ')[0]!, rest: line.slice(line.indexOf(' ') + 1).trim() }));

/** The arguments of each such instruction of the image that the Dockerfile ends with. */
export const instructionsOf = (name: string): string[] =>
  instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest);

/** Variables that the image sets. */
export const imageEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  instructionsOf('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('=') as [string, string])),
);

/** What is in a secret store, and not in a file of the project. */
export const secrets = {
  DATABASE_URL: 'postgres://tidings:secret@postgres:5432/tidings',
  REDIS_URL: 'redis://redis:6379',
  AUTH_SECRET: 'a secret of thirty-two characters or more',
};

/**
 * What a process makes of these variables in the image.
 *
 * @throws ConfigError where a variable is missing or wrong; Error where one is none of the product's
 */
export function configIn(variables: Readonly<Record<string, string>>) {
  const unknown = Object.keys({ ...imageEnvironment, ...variables }).filter(
    (name) => !(name in environment.shape),
  );
  if (unknown.length > 0) throw new Error(`no variables of tidings: ${unknown.join(', ')}`);
  return readConfig({ ...imageEnvironment, ...variables });
}

/** How long an api may take to end by itself, in ms: no worker takes longer. */
export const endsWithinMs = (config: ReturnType<typeof configIn>): number =>
  config.shutdownDelayMs + config.shutdownGraceMs;

/** The commands of a process that can be run in the image. */
export const COMMANDS = [
  ...readFileSync(new URL('src/main.ts', root), 'utf8').matchAll(/\.command\('([\w-]+)'\)/g),
].map(([, name]) => name!);
