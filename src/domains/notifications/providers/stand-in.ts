import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.js';

/**
 * What the sandbox has in a provider's place: as strict as the real one, written from its documentation. It imports nothing of the
 * adapter, so that each shows the other's mistakes.
 */
export interface StandIn<Credentials = unknown> {
  /** What the product and the stand-in agree on: the product's secrets, and how they are checked. */
  readonly credentials: z.ZodType<Credentials>;
  makeCredentials(): Credentials;
  /** The provider's settings that point the product here. */
  settings(credentials: Credentials, url: string): Readonly<Record<string, string>>;
  open(credentials: Credentials, world: SandboxWorld): SandboxProvider;
}

/** The stand-in as it is, its credentials' type found out. */
export const defineStandIn = <Credentials>(standIn: StandIn<Credentials>): StandIn<Credentials> => standIn;

/** What stand-ins need of the sandbox. */
export interface SandboxWorld {
  /** Where they are reached, over TLS. */
  readonly url: () => string;
  /** Where this provider's events go, if anywhere, where its messages do not name an address. */
  readonly eventUrl: () => string | undefined;
  readonly callbacks: CallbackPoster;
  readonly clock: Clock;
}

export interface CallbackPoster {
  /** Posts the steps one after the other, each repeated a few times while the receiver is away. */
  post(steps: readonly CallbackStep[]): void;
  /** Gives up what is still waiting, and returns when nothing is on its way. */
  close(): Promise<void>;
}

export interface CallbackStep {
  readonly url: string;
  /** Made anew for each attempt, since some providers sign the time. */
  readonly request: () => { readonly headers: Record<string, string>; readonly body: string };
}

/** A stand-in that takes requests. */
export interface SandboxProvider {
  /** Whether a path is one of this provider's. */
  serves(path: string): boolean;
  judge(request: SandboxRequest): Promise<Judgement>;
  /** The provider's own error shape, for a fault that was asked for. */
  refusal(status: number, reason: string | undefined, deadSince?: number): Reply;
  /** A new address that it takes messages for, where nobody can make one up. */
  subscribe?(): object;
}

/** A request to one of the sandbox's providers, its body read to the end. */
export interface SandboxRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly http2: boolean;
  /** A number for the TCP connection: the same for all requests that shared it. */
  readonly connection: number;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; absent means an empty body. */
  readonly body?: unknown;
}

/** What a provider made of a request: it took a message, or it only answered (mostly to refuse). */
export type Judgement = Taken | Reply;

export interface Taken {
  readonly message: TakenMessage;
  readonly reply: Reply;
  /** What the real provider would report later, by callback. */
  readonly afterwards?: (outcome: string | undefined) => void;
}

export interface TakenMessage {
  /** Device token, a browser's endpoint, mail address or phone number. */
  readonly to: string;
  readonly notificationId?: string | undefined;
  readonly deliveryId?: string | undefined;
  /** The id that the sender was given. */
  readonly providerId: string;
  /** As received: the JSON, or the form's fields; of Web Push what was encrypted. */
  readonly body: unknown;
}

const ids = z.object({ notificationId: z.string().optional(), deliveryId: z.string().optional() }).catch({});

/** The product's ids, as far as what a message carries has them. */
export const idsOf = (carried: unknown): z.infer<typeof ids> => ids.parse(carried);

/** The body as JSON, or undefined. */
export function jsonBody(request: SandboxRequest): unknown {
  try {
    return JSON.parse(request.body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A header's one value; undefined where it is absent or repeated. */
export function header(request: SandboxRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

export const keyPair = z.object({ privateKey: z.string(), publicKey: z.string() });

export function pem(keys: { privateKey: KeyObject; publicKey: KeyObject }): z.infer<typeof keyPair> {
  return {
    privateKey: keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: keys.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  };
}
