import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';

/**
 * Prisma's schema engine as WebAssembly: what `prisma migrate` runs, without the binary that its command
 * line would download. This file imports nothing of the project, so that scripts can load it unbuilt.
 *
 * @param database where it connects to; it asks for the server's version at once
 * @param datamodel the text of a schema.prisma
 */
export async function openSchemaEngine(
  database: SqlMigrationAwareDriverAdapterFactory,
  datamodel: string,
): Promise<engine.SchemaEngine> {
  instantiated ??= instantiate();
  await instantiated;
  return engine.SchemaEngine.new(
    { datamodels: [['schema.prisma', datamodel]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(database),
  );
}

/** Leaves no table and no enum of the schema out. */
export const everything = { externalTables: [], externalEnums: [] };

/** The two calls used here of a global that TypeScript knows only together with the browser's. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<{ readonly exports: Record<string, unknown> }>;
};

let instantiated: Promise<void> | undefined;

/** The package's own entry imports `.wasm` as a module, which Node does not do by itself. */
async function instantiate(): Promise<void> {
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const module = await WebAssembly.compile(await readFile(script.replace(/\.js$/, '.wasm')));
  const { exports } = await WebAssembly.instantiate(module, { './schema_engine_bg.js': bindings() });
  engine.__wbg_set_wasm(exports);
  (exports.__wbindgen_start as () => void)();
}

/** What the engine calls. It never clears the 10 s that it waits for its lock at most, and a process that is done would wait for them. */
const bindings = (): object =>
  Object.fromEntries(
    Object.entries(engine).map(([name, binding]) => [
      name,
      name.startsWith('__wbg_setTimeout_') ? unreferenced(binding as unknown as SetTimer) : binding,
    ]),
  );

type SetTimer = (...args: unknown[]) => NodeJS.Timeout;
const unreferenced =
  (set: SetTimer): SetTimer =>
  (...args) =>
    set(...args).unref();
