import type { Gate } from '../../platform/gate.js';
import { inSpan, tracer } from '../../platform/tracing/tracing.js';

/** The same gate, each of its checks a span of its request; itself where traces are off. */
export function traced(gate: () => Gate): () => Gate {
  const using = tracer();
  if (!using) return gate;
  const checked: Gate = {
    decideLocally: (request) => gate().decideLocally(request),
    decide: (request, leaving) =>
      inSpan(
        using,
        { name: 'check rate limits', attributes: { 'tidings.rate_limit.part': request.part } },
        async (span) => {
          const decision = await gate().decide(request, leaving);
          span.set({
            'tidings.rate_limit.outcome': decision.outcome,
            'tidings.rate_limit.decided_by': decision.decidedBy,
          });
          return decision;
        },
      ),
    refund: (decision) => gate().refund(decision),
    settle: (decision, cost) => gate().settle(decision, cost),
  };
  return () => checked;
}
