import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsIn, type Manifest, render, renderer } from '../../deploy/checks/kubernetes.ts';
import { COMMANDS, configIn, endsWithinMs, secrets } from './image.js';

const folderOf = (name: string) =>
  fileURLToPath(new URL(`../../deploy/kustomize/overlays/${name}`, import.meta.url));

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}
interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources: {
    readonly requests: { cpu: string; memory: string };
    readonly limits: { memory: string };
  };
  readonly securityContext: object;
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}
interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly containers: readonly Container[];
}

// CI installs one of them: a machine without either leaves this out.
describe.skipIf(!renderer).each(['fixed', 'autoscaled'])('The overlay %s', (overlay) => {
  let manifests: Manifest[];
  const find = (kind: string, name: string): Manifest =>
    manifests.find((one) => one.kind === kind && one.metadata.name.startsWith(name))!;
  const podOf = (name: string): Pod => find('Deployment', name).spec.template.spec;
  const containerOf = (name: string): Container => podOf(name).containers[0]!;
  const settings = (): Record<string, string> => find('ConfigMap', 'tidings-settings').data;

  beforeAll(() => {
    manifests = render(folderOf(overlay));
  });

  it('has nothing that Kubernetes would refuse', () => {
    expect(faultsIn(manifests)).toEqual([]);
    const kinds = manifests.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['Deployment', 'Job', 'Service', 'PodDisruptionBudget']));
  });

  it('sets variables that tidings knows, to values that it takes, and none that is a secret', () => {
    expect(() => configIn({ ...settings(), ...secrets })).not.toThrow();
    expect(
      Object.keys(settings()).filter((name) => /SECRET|KEY|PASSWORD|DATABASE_URL|REDIS_URL/.test(name)),
    ).toEqual([]);
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret');
  });

  it('runs an api, a worker and a migration by commands that there are, in one image', () => {
    const job: Pod = find('Job', 'tidings-migrate').spec.template.spec;
    const containers = [containerOf('tidings-api'), containerOf('tidings-worker'), job.containers[0]!];
    expect(containers.map(({ args }) => args)).toEqual([['api'], ['worker'], ['migrate']]);
    for (const { args } of containers) expect(COMMANDS).toContain(args[0]);
    expect(new Set(containers.map(({ image }) => image)).size).toBe(1);
  });

  it('asks each process where it answers, and sends requests to the api’s public port alone', () => {
    const { port, metricsPort, workerPort } = configIn({ ...settings(), ...secrets });
    const portsOf = (name: string) =>
      Object.fromEntries(containerOf(name).ports!.map((one) => [one.name, one.containerPort]));
    expect(portsOf('tidings-api')).toEqual({ http: port, operations: metricsPort });
    expect(portsOf('tidings-worker')).toEqual({ operations: workerPort });
    for (const name of ['tidings-api', 'tidings-worker']) {
      const { startupProbe, readinessProbe, livenessProbe } = containerOf(name);
      const asked = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
      expect(asked).toEqual(
        ['/healthz', '/healthz', '/readyz'].map((path) => ({ path, port: 'operations' })),
      );
    }
    expect(find('Service', 'tidings-api').spec.ports).toEqual([
      { name: 'http', port: 80, targetPort: 'http' },
    ]);
  });

  it('waits as long as a start may take, and kills nothing that ends by itself', () => {
    const config = configIn({ ...settings(), ...secrets });
    for (const name of ['tidings-api', 'tidings-worker']) {
      expect(podOf(name).terminationGracePeriodSeconds * 1_000).toBeGreaterThan(endsWithinMs(config));
      const { periodSeconds, failureThreshold } = containerOf(name).startupProbe;
      expect(periodSeconds * failureThreshold * 1_000).toBeGreaterThan(config.startupTimeoutMs);
    }
    // One slow answer of Redis or Postgres would take out all apis at once.
    expect(containerOf('tidings-api').readinessProbe.failureThreshold).toBeGreaterThan(1);
  });

  it('gives processes no more than they need', () => {
    const pods: Pod[] = manifests
      .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
      .map(({ spec }) => spec.template.spec);
    expect(pods).toHaveLength(3);
    for (const pod of pods) {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const { securityContext, resources } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(resources).toMatchObject({
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
      }
    }
  });

  it('can be sent part by part, in the order of an upgrade', () => {
    for (const { metadata } of manifests)
      expect(metadata.labels, metadata.name).toMatchObject({
        'app.kubernetes.io/part-of': 'tidings',
        'app.kubernetes.io/component': expect.stringMatching(/^(settings|migrate|worker|api|monitoring)$/),
      });
  });

  it('keeps processes while machines are emptied, and disturbs no scaler', () => {
    for (const name of ['tidings-api', 'tidings-worker']) {
      const { selector, maxUnavailable } = find('PodDisruptionBudget', name).spec;
      expect(maxUnavailable).toBe(1);
      const { spec, metadata } = find('Deployment', name);
      expect(selector).toEqual(spec.selector);
      expect(metadata.labels).toMatchObject(spec.selector.matchLabels);
      const scaler = manifests.find((one) => one.kind === 'ScaledObject' && one.metadata.name === name);
      expect(spec.replicas).toBe(scaler ? undefined : 2);
      if (scaler) expect(scaler.spec.scaleTargetRef).toEqual({ name });
    }
  });
});

it('the dashboards are sent to Grafana as they are', ({ skip }) => {
  if (!renderer) skip();
  const folder = fileURLToPath(new URL('../../deploy/dashboards', import.meta.url));
  const manifests = render(folder);
  expect(faultsIn(manifests)).toEqual([]);
  for (const { data, metadata } of manifests) {
    expect(metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    const [[name, text] = []] = Object.entries(data as Record<string, string>);
    expect(text).toBe(readFileSync(`${folder}/${name}`, 'utf8'));
  }
});

it('a wrong value, a field that there is not, and another version are noticed', () => {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { ports: [{ port: 'eighty' }] },
  };
  expect(faultsIn([service]).join('\n')).toMatch(/port/);
  const typo = { ...service, spec: { ports: [{ port: 80, targetport: 4000 }] } };
  expect(faultsIn([typo]).join('\n')).toMatch(/targetport/);
  expect(faultsIn([{ ...service, spec: { ports: [{ port: 80 }] } }])).toEqual([]);
  expect(faultsIn([{ ...service, apiVersion: 'v2', spec: {} }]).join('\n')).toMatch(/v2/);
});
