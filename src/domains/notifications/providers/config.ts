import { z } from 'zod';
import type { PresentVariables } from '../../../platform/config.js';
import { defined } from '../../../platform/defined.js';
import type { ConfigOf, ProviderDeclaration } from './declare.js';
import { type byKey, type ListedProvider, type ProviderKey, providers } from './list.js';

type SettingsOf<Key extends ProviderKey> = (typeof byKey)[Key]['settings'];

/**
 * A provider that is absent is off: its channel has nobody to send by. Those of one kind of address are asked in the order in which
 * they stand here.
 */
export type ProvidersConfig = { readonly [Key in ProviderKey]?: ConfigOf<SettingsOf<Key>> };

type VariableOf<Own> = Own extends Readonly<Record<string, { readonly variable: infer Name }>> ? Name : never;
type Variable = VariableOf<{ [Key in ProviderKey]: SettingsOf<Key> }[ProviderKey]>;

/** Kinds of address that several providers send to, and the variables that name which of them is used, or in which order they are asked. */
const choices = [...Map.groupBy(providers, ({ sendsTo }) => sendsTo)].flatMap(([kind, candidates]) => {
  const variable = `${kind.toUpperCase()}_PROVIDER`;
  return candidates.length > 1
    ? [{ variable, orderVariable: `${variable}S`, order: orderOf(candidates), candidates }]
    : [];
});

/** `sendgrid,smtp`: names of candidates, none twice. */
function orderOf(candidates: readonly ListedProvider[]) {
  const known = candidates.map(({ name }) => name);
  return z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .refine((names) => new Set(names).size === names.length && names.every((name) => known.includes(name)), {
      message: `names of ${known.join(', ')}, separated by commas, each once`,
    });
}

/** The variables of the environment that providers are configured by. */
export const providerVariables = asShape<Variable>([
  ...providers.flatMap(({ settings }) =>
    Object.values(settings).map(({ variable, schema }) => [variable, schema.optional()] as const),
  ),
  ...choices.map(
    ({ variable, candidates }) => [variable, z.enum(candidates.map(({ name }) => name)).optional()] as const,
  ),
  ...choices.map(({ orderVariable, order }) => [orderVariable, order.optional()] as const),
]);

function asShape<Name extends string>(
  entries: readonly (readonly [string, z.ZodType])[],
): Readonly<Record<Name, z.ZodType>> {
  return Object.fromEntries(entries) as Record<Name, z.ZodType>;
}

/**
 * The providers that the environment names, one for each kind of address unless it names several and their order. A provider is off,
 * or on with all that it needs: half a provider is a fault.
 *
 * @param faults gets a line for each fault
 */
export function readProviders(env: PresentVariables, faults: string[]): ProvidersConfig {
  const configs = new Map(providers.map((provider) => [provider.key, readSettings(provider, env, faults)]));
  for (const choice of choices) {
    const { variable, orderVariable, candidates } = choice;
    if (env[variable] !== undefined && env[orderVariable] !== undefined)
      faults.push(`${variable} and ${orderVariable} are both set: one of them says which providers are used`);
    const wanted = wantedOf(choice, env);
    for (const { name, settings } of wanted.filter((provider) => !isNamed(provider, env))) {
      const because = env[orderVariable] === undefined ? `${variable} is` : `${orderVariable} has`;
      faults.push(`${Object.values(settings)[0]!.variable} is missing (${because} ${name})`);
    }
    const used = wanted.length > 0 ? wanted : candidates.filter(({ key }) => configs.get(key)).slice(0, 1);
    const inOrder = used.map(({ key }) => [key, configs.get(key)] as const);
    for (const { key } of candidates) configs.delete(key);
    for (const [key, config] of inOrder) configs.set(key, config);
  }
  return defined(Object.fromEntries(configs)) as ProvidersConfig;
}

/** The candidates that the environment names, in its order; none where it names none, or something else. */
function wantedOf(
  { variable, orderVariable, order, candidates }: (typeof choices)[number],
  env: PresentVariables,
): readonly ListedProvider[] {
  const names = order.safeParse(env[orderVariable] ?? env[variable]).data ?? [];
  return names.flatMap((wanted) => candidates.filter(({ name }) => name === wanted));
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
