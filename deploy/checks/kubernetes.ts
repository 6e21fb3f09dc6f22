import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service, ServiceAccount } from 'kubernetes-models/v1';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';

/** The kinds that the manifests have: where the types of each are, and its class, which knows its schema. */
const KINDS = {
  ConfigMap: { from: 'kubernetes-models/v1', model: ConfigMap },
  Deployment: { from: 'kubernetes-models/apps/v1', model: Deployment },
  Job: { from: 'kubernetes-models/batch/v1', model: Job },
  PodDisruptionBudget: { from: 'kubernetes-models/policy/v1', model: PodDisruptionBudget },
  PodMonitor: { from: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1', model: PodMonitor },
  ScaledObject: { from: '@kubernetes-models/keda/keda.sh/v1alpha1', model: ScaledObject },
  Service: { from: 'kubernetes-models/v1', model: Service },
  ServiceAccount: { from: 'kubernetes-models/v1', model: ServiceAccount },
} as const;

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: a schema has been held against it
  readonly [field: string]: any;
}

const onPath = (name: string): boolean =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));

/** What renders an overlay on this machine; undefined: nothing does. */
export const renderer = onPath('kustomize')
  ? ['kustomize', 'build']
  : onPath('kubectl')
    ? ['kubectl', 'kustomize']
    : undefined;

/** Everything that `kubectl apply -k FOLDER` would send. */
export function render(folder: string): Manifest[] {
  if (!renderer) throw new Error('neither kustomize nor kubectl is installed');
  const [command = '', ...args] = renderer;
  const text = execFileSync(command, [...args, folder], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document): Manifest => document.toJS());
}

/** What Kubernetes would refuse: wrong values by the schema of the kind, fields that it does not have by the kind's type. */
export function faultsIn(manifests: readonly Manifest[]): string[] {
  return [...manifests.flatMap(schemaFaults), ...unknownFields(manifests)];
}

function schemaFaults({ ...manifest }: Manifest): string[] {
  const kind = KINDS[manifest.kind as keyof typeof KINDS];
  if (!kind) return [`${manifest.kind} ${manifest.metadata.name}: no schema of this kind is known here`];
  const { apiVersion } = new (kind.model as new () => Manifest)();
  if (manifest.apiVersion !== apiVersion)
    return [`${manifest.kind}: ${manifest.apiVersion} is not ${apiVersion}`];
  try {
    new (kind.model as unknown as new (data: object) => { validate(): void })(manifest).validate();
    return [];
  } catch (error) {
    return [`${manifest.kind} ${manifest.metadata.name}: ${String(error)}`];
  }
}

/** The schemas allow further fields; the types, of a literal, do not. */
function unknownFields(manifests: readonly Manifest[]): string[] {
  const known = manifests.filter(({ kind }) => kind in KINDS);
  const lines = known.map((manifest, index) => {
    const { from } = KINDS[manifest.kind as keyof typeof KINDS];
    return `export const m${index}: import('${from}').I${manifest.kind} = ${JSON.stringify(manifest)};`;
  });
  const name = path.resolve(import.meta.dirname, 'manifests.virtual.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === name || fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    file === name
      ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2023)
      : getSourceFile(file, ...rest);
  const program = ts.createProgram([name], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(name))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
