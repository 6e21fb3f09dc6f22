import type { IncomingHttpHeaders } from 'node:http';
import type { ReceivedMessage } from './messages.js';

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
export type Judgement =
  | { readonly kind: 'answered'; readonly reply: Reply }
  | {
      readonly kind: 'taken';
      readonly message: NewMessage;
      readonly reply: Reply;
      /** What the real provider would report later, by callback. */
      readonly afterwards?: (outcome: string | undefined) => void;
    };

export type NewMessage = Omit<ReceivedMessage, 'id' | 'at' | 'connection' | 'headers'>;

/** One of the third parties, as strict as the real one. */
export interface SandboxProvider {
  readonly name: 'apns' | 'fcm' | 'web-push' | 'sendgrid' | 'twilio';
  readonly channel: 'push' | 'email' | 'sms';
  /** Whether a path is one of this provider's. */
  serves(path: string): boolean;
  judge(request: SandboxRequest): Promise<Judgement>;
  /** The provider's own error shape, for a fault that was asked for. */
  refusal(status: number, reason: string | undefined, deadSince?: number): Reply;
}

export const refuse = (reply: Reply): Judgement => ({ kind: 'answered', reply });

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
