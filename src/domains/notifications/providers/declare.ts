import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.js';
import type { Result } from '../../../platform/errors.js';
import type { DeliveryReport } from '../delivery/report-state.js';
import type { AddressChoice } from '../suppressions/choose.js';
import type { AddressKind } from '../types.js';
import type { ProviderDeps } from './adapter.js';
import type { Provider } from './provider.js';
import type { StandIn } from './stand-in.js';

/** One variable of the environment that a provider is configured by. */
export interface Setting {
  readonly variable: string;
  /**
   * What fits. The provider is off, or it has every setting whose schema does not take `undefined`. A setting with a default does not
   * turn it on.
   */
  readonly schema: z.ZodType;
}
type Settings = Readonly<Record<string, Setting>>;

export const setting = <const Variable extends string, Schema extends z.ZodType>(
  variable: Variable,
  schema: Schema,
): { readonly variable: Variable; readonly schema: Schema } => ({ variable, schema });

/** What a provider's settings are read into. */
export type ConfigOf<Own extends Settings> = z.output<
  z.ZodObject<{ readonly [Key in keyof Own]: Own[Key]['schema'] }>
>;

/**
 * Everything that the product has to know of a provider. The configuration, the workers' providers, the routes of callbacks, the
 * sandbox and the tests of the guides read `list.ts`, which has all of them.
 */
export interface ProviderDeclaration<Own extends Settings = Settings> {
  /** As in logs, metrics, the path of its callbacks and the sandbox. */
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  readonly sendsTo: AddressKind;
  readonly settings: Own;
  /** What is wrong with settings that fit each by itself; those that are missing or do not fit are absent. */
  check?(config: Partial<ConfigOf<Own>>): string | undefined;
  /** Imported by workers that are configured for it alone: it brings its libraries. */
  adapter(): Promise<Adapter<ConfigOf<Own>>>;
  readonly callback?: ProviderCallback<ConfigOf<Own>>;
  /** What the sandbox has in its place. Imported by the sandbox alone. */
  standIn?(): Promise<StandIn>;
}

export interface Adapter<Config = unknown> {
  create(config: Config, deps: ProviderDeps): Provider;
  /** The service behind an address, where the provider's name stands for several. */
  readonly serviceOf?: (address: string) => string;
}

/** What a provider reports after its answer, at `callbackPath`. */
export interface ProviderCallback<Config = unknown> {
  /** For the API's description. */
  readonly about: {
    readonly operationId: string;
    readonly summary: string;
    readonly headers: z.ZodType;
    readonly body: {
      readonly description: string;
      readonly schema: z.ZodType;
      readonly mediaType?: string;
    };
  };
  /** What a callback reports, where its signature holds; see each for what is refused. */
  read(request: CallbackRequest, config: Config, clock: Clock): Result<readonly CallbackReport[]>;
}

/** Of a delivery, or of an address whose owner answered. */
export type CallbackReport = DeliveryReport | AddressChoice;

export interface CallbackRequest {
  /** The public URL that was called, with its query. */
  readonly url: string;
  /** The body exactly as it came in. */
  readonly body: Buffer;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
}

export const callbackPath = (provider: string): string => `/api/v1/callbacks/${provider}`;

/** The declaration as it is, its settings' types kept. */
export const declareProvider = <Own extends Settings>(
  declaration: ProviderDeclaration<Own>,
): ProviderDeclaration<Own> => declaration;
