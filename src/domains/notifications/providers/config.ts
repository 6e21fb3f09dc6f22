import { z } from 'zod';
import type { PresentVariables } from '../../../platform/config.js';
import { defined } from '../../../platform/defined.js';
import type { ConfigOf, ProviderDeclaration } from './declare.js';
import { type byKey, type ListedProvider, type ProviderKey, providers } from './list.js';

type SettingsOf<Key extends ProviderKey> = (typeof byKey)[Key]['settings'];

/** A provider that is absent is off: its channel has nobody to send by. */
export type ProvidersConfig = { readonly [Key in ProviderKey]?: ConfigOf<SettingsOf<Key>> };

type VariableOf<Own> = Own extends Readonly<Record<string, { readonly variable: infer Name }>> ? Name : never;
type Variable = VariableOf<{ [Key in ProviderKey]: SettingsOf<Key> }[ProviderKey]>;

/** Kinds of address that several providers send to, and the variable that names which of them is used. */
const choices = [...Map.groupBy(providers, ({ sendsTo }) => sendsTo)].flatMap(([kind, candidates]) =>
  candidates.length > 1 ? [{ variable: `${kind.toUpperCase()}_PROVIDER`, candidates }] : [],
);

/** The variables of the environment that providers are configured by. */
export const providerVariables = asShape<Variable>([
  ...providers.flatMap(({ settings }) =>
    Object.values(settings).map(({ variable, schema }) => [variable, schema.optional()] as const),
  ),
  ...choices.map(
    ({ variable, candidates }) => [variable, z.enum(candidates.map(({ name }) => name)).optional()] as const,
  ),
]);

function asShape<Name extends string>(
  entries: readonly (readonly [string, z.ZodType])[],
): Readonly<Record<Name, z.ZodType>> {
  return Object.fromEntries(entries) as Record<Name, z.ZodType>;
}

/**
 * The providers that the environment names, one for each kind of address. A provider is off, or on with all that it needs:
 * half a provider is a fault.
 *
 * @param faults gets a line for each fault
 */
export function readProviders(env: PresentVariables, faults: string[]): ProvidersConfig {
  const configs = new Map(providers.map((provider) => [provider.key, readSettings(provider, env, faults)]));
  for (const { variable, candidates } of choices) {
    const wanted = candidates.find(({ name }) => name === env[variable]);
    if (wanted && !isNamed(wanted, env))
      faults.push(
        `${Object.values(wanted.settings)[0]!.variable} is missing (${variable} is ${wanted.name})`,
      );
    const used = wanted ?? candidates.find(({ key }) => configs.get(key));
    for (const { key } of candidates) if (key !== used?.key) configs.delete(key);
  }
  return defined(Object.fromEntries(configs)) as ProvidersConfig;
}

/** In PEM keys `\n` may be written as two characters, as many secret stores do. */
function readSettings(provider: ListedProvider, env: PresentVariables, faults: string[]): unknown {
  if (!isNamed(provider, env)) return undefined;
  const { title, settings, check } = provider as ProviderDeclaration;
  const config: Record<string, unknown> = {};
  let isWhole = true;
  for (const [key, { variable, schema }] of Object.entries(settings)) {
    const { success, data } = schema.safeParse(env[variable]?.replaceAll('\\n', '\n'));
    if (success) config[key] = data;
    // What is set and not valid is a fault of the environment's already.
    else if (env[variable] === undefined)
      faults.push(`${variable} is missing (${title} is otherwise configured)`);
    isWhole &&= success;
  }
  const fault = check?.(config);
  if (fault) faults.push(fault);
  return isWhole ? config : undefined;
}

const isNamed = ({ settings }: ProviderDeclaration, env: PresentVariables): boolean =>
  Object.values(settings).some(
    ({ variable, schema }) => env[variable] !== undefined && schema.safeParse(undefined).data === undefined,
  );
