import type { OperationTypeNode } from 'graphql';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** `refused`: nothing ran; `failed`: it ran, and the answer holds errors. */
export type Outcome = 'ok' | 'failed' | 'refused';

export type EdgeMetrics = ReturnType<typeof createEdgeMetrics>;

/** Registers the edge's metrics. */
export function createEdgeMetrics(registry: Registry) {
  const registers = [registry];
  const requests = new Counter({
    name: 'graphql_requests_total',
    help: 'GraphQL operations by type and outcome',
    labelNames: ['operation_type', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'graphql_request_duration_seconds',
    help: 'Time from an admitted query or mutation to its result',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const persisted = new Counter({
    name: 'graphql_persisted_documents_total',
    help: 'Requests and operations whose document is a persisted one, by its id and the name of its operation',
    labelNames: ['document_id', 'operation_name'],
    registers,
  });
  const documentsRefused = new Counter({
    name: 'graphql_documents_refused_total',
    help: 'Requests and operations refused since no file has their id, or since only persisted documents are taken',
    labelNames: ['reason'],
    registers,
  });
  const masked = new Counter({
    name: 'graphql_errors_masked_total',
    help: 'Unexpected errors that clients saw only as INTERNAL_ERROR',
    registers,
  });
  const connections = new Gauge({
    name: 'websocket_connections',
    help: 'Open WebSocket connections',
    registers,
  });
  const socketsRefused = new Counter({
    name: 'websocket_refused_total',
    help: 'WebSockets that were refused since too many are open: of the process, of their user, or of their network',
    labelNames: ['by'],
    registers,
  });
  // A rate needs a point before the first refusal.
  for (const reason of ['unknown_id', 'not_persisted'] as const) documentsRefused.inc({ reason }, 0);
  for (const by of ['process', 'user', 'network'] as const) socketsRefused.inc({ by }, 0);
  return {
    /** @param seconds absent where nothing ran, or where a subscription began */
    requested(operation_type: `${OperationTypeNode}` | 'unknown', outcome: Outcome, seconds?: number): void {
      requests.inc({ operation_type, outcome });
      if (seconds !== undefined) duration.observe(seconds);
    },
    /** @param document_id of a file of persisted documents, never what a client made up */
    persistedDocument: (document_id: string, operation_name: string) =>
      persisted.inc({ document_id, operation_name }),
    documentRefused: (reason: 'unknown_id' | 'not_persisted') => documentsRefused.inc({ reason }),
    masked: () => masked.inc(),
    sockets: (open: number) => connections.set(open),
    socketRefused: (by: 'process' | 'user' | 'network') => socketsRefused.inc({ by }),
  };
}
