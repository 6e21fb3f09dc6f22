import { readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { composeSchema } from '../../deploy/checks/compose-schema.ts';
import { COMMANDS, configIn, endsWithinMs, secrets } from './image.js';

interface Service {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck: { readonly test: readonly string[] };
  readonly stop_grace_period: string;
  readonly ports?: readonly string[];
  readonly user?: string;
  readonly read_only: boolean;
  readonly volumes: readonly string[];
}

const file = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');
const document: { services: Record<string, Service>; volumes: object } = parse(file, { merge: true });
const { postgres, redis, migrate, worker, api } = document.services as Record<string, Service> &
  Record<'postgres' | 'redis' | 'migrate' | 'worker' | 'api', Service>;
const processes = { migrate, worker, api };

/** As compose fills a variable in that is not in `.env`; `:?` refuses to start without it. */
const filled = (text: string): string =>
  text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{\w+:\?[^}]*\}/g, 'from-dot-env');
const configOf = ({ environment }: Service) =>
  configIn({
    AUTH_SECRET: secrets.AUTH_SECRET,
    ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(String(value))])),
  });

it('compose.yaml is a Compose file', () => {
  const ajv = new Ajv2019({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const format of ['duration', 'expose', 'ports', 'subnet_ip_address']) ajv.addFormat(format, true);
  // It names itself and its dialect as an older one did.
  const isName = (key: string, value: unknown) =>
    ['id', '$schema'].includes(key) && typeof value === 'string';
  const current = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
    isName(key, value) ? undefined : value,
  );
  const isValid = ajv.compile(current);
  expect(isValid(document), JSON.stringify(isValid.errors, null, 2)).toBe(true);
  expect(isValid({ services: { api: { imagee: 'a' } } })).toBe(false);
});

it('the processes start once what they need is ready, and the database migrated', () => {
  expect(migrate.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
  for (const process of [api, worker])
    expect(process.depends_on).toEqual({
      migrate: { condition: 'service_completed_successfully' },
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    });
  for (const { healthcheck } of [postgres, redis]) expect(healthcheck.test.length).toBeGreaterThan(0);
});

it('each process runs a command of tidings, with variables that it knows', () => {
  for (const [name, process] of Object.entries(processes)) {
    expect(COMMANDS).toContain(name);
    expect(process.command).toEqual([name]);
    expect(() => configOf(process)).not.toThrow();
    expect(process.read_only).toBe(true);
  }
});

it('readiness is asked where each process answers it, and the public reaches one port of the api', () => {
  const { metricsPort, workerPort, port } = configOf(api);
  expect(api.healthcheck.test.join(' ')).toContain(`http://127.0.0.1:${metricsPort}/readyz`);
  expect(worker.healthcheck.test.join(' ')).toContain(`http://127.0.0.1:${workerPort}/readyz`);
  expect(api.ports!.map((published) => published.split(':').at(-1))).toEqual([String(port)]);
  expect([postgres.ports, redis.ports, worker.ports]).toEqual([undefined, undefined, undefined]);
});

it('no process is killed while it ends by itself', () => {
  for (const process of Object.values(processes))
    expect(Number.parseInt(process.stop_grace_period, 10) * 1_000).toBeGreaterThan(
      endsWithinMs(configOf(process)),
    );
});

it('Redis refuses to forget jobs, and secrets are elsewhere', () => {
  expect(redis.command.join(' ')).toContain('--maxmemory-policy noeviction');
  const secret = /[A-Z_]*(?:SECRET|PASSWORD|KEY)[A-Z_]*: (.*)/g;
  for (const [line, value] of file.matchAll(secret)) expect(value, line).toMatch(/^\$\{/);
});
