import { z } from 'zod';

/** A fault to show on purpose, for a channel or for one provider of it. */
const fault = z
  .strictObject({
    channel: z.string(),
    /** Narrows the channel to one of its providers. */
    provider: z.string().optional(),
    /** Answer so instead of taking the message. */
    status: z.number().int().min(400).max(599).optional(),
    /** The provider's own code, e.g. `Unregistered`, `UNAVAILABLE`, `21610`. */
    reason: z.string().min(1).max(200).optional(),
    /** Sent as a Retry-After header beside `status`. */
    retryAfter: z.number().int().min(0).max(86_400).optional(),
    /** With APNs' 410: since when the token is dead, in milliseconds since the epoch. */
    deadSince: z.number().int().min(1).optional(),
    /** Wait so long before answering. */
    latencyMs: z.number().min(0).max(600_000).optional(),
    /** Take the message and never answer. */
    hang: z.boolean().optional(),
    /** Take the message and cut the connection. */
    drop: z.boolean().optional(),
    /** Answer, then announce the end of the HTTP/2 session. */
    goaway: z.boolean().optional(),
    /** What the callback reports in the end instead of `delivered`; `none` sends no callback. */
    outcome: z
      .enum(['undelivered', 'failed', 'bounce', 'blocked', 'dropped', 'deferred', 'spamreport', 'none'])
      .optional(),
    /** The share of calls that are hit; 1 where absent. */
    rate: z.number().gt(0).max(1).optional(),
    /** How many calls are hit before the fault is over. */
    times: z.number().int().min(1).optional(),
  })
  .refine((f) => [f.status, f.hang, f.drop].filter(Boolean).length <= 1, {
    message: 'only one of status, hang and drop can be shown at a time',
  })
  .refine(
    (f) => f.status !== undefined || [f.reason, f.retryAfter, f.deadSince].every((one) => one === undefined),
    { message: 'reason, retryAfter and deadSince need a status' },
  );

export type Fault = z.infer<typeof fault>;

/** Faults of these providers. */
export const faultsOf = (providers: readonly { readonly name: string; readonly channel: string }[]) =>
  fault.safeExtend({
    channel: z.enum(providers.map(({ channel }) => channel)),
    provider: z.enum(providers.map(({ name }) => name)).optional(),
  });

export type Behaviour = ReturnType<typeof createBehaviour>;

/**
 * Which faults are shown.
 *
 * @param random uniform in [0, 1)
 */
export function createBehaviour(random: () => number) {
  const faults = new Map<string, Fault>();
  const key = (channel: string, provider = '*') => `${channel}/${provider}`;
  return {
    /** Sets a fault; it replaces an earlier one for the same channel and provider. */
    set: (next: Fault): void => void faults.set(key(next.channel, next.provider), next),
    list: (): readonly Fault[] => [...faults.values()],
    clear: (): void => faults.clear(),
    /** The fault that hits this call, if one does; counts it. A provider's own goes before its channel's. */
    take(channel: string, provider: string): Fault | undefined {
      const hit = faults.get(key(channel, provider)) ?? faults.get(key(channel));
      if (!hit || random() >= (hit.rate ?? 1)) return undefined;
      if (hit.times === 1) faults.delete(key(hit.channel, hit.provider));
      else if (hit.times !== undefined) {
        faults.set(key(hit.channel, hit.provider), { ...hit, times: hit.times - 1 });
      }
      return hit;
    },
  };
}
