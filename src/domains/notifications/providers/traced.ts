import { inSpan, tracer } from '../../../platform/tracing/tracing.js';
import type { Provider } from './provider.js';

/**
 * The same provider, each of its calls a span of the delivery's trace. The trace context is not sent: providers are other companies, whose
 * traces are their own.
 */
export function traced(provider: Provider): Provider {
  const using = tracer();
  if (!using) return provider;
  const { name } = provider;
  return {
    ...provider,
    send: (message, signal) =>
      inSpan(
        using,
        { name: `call ${name}`, kind: 'client', attributes: { 'peer.service': name } },
        async (span) => {
          const outcome = await provider.send(message, signal);
          span.set({ 'tidings.provider.outcome': outcome.kind });
          if (outcome.kind !== 'failed') return outcome;
          if (outcome.status !== undefined) span.set({ 'tidings.provider.status': outcome.status });
          span.fail(outcome.code);
          return outcome;
        },
      ),
  };
}
