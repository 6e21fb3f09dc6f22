import type { Masking } from '../errors.js';
import type { EdgeRequest } from '../options.js';
import type { Variables } from './cost.js';
import type { Operation } from './documents.js';
import type { Answer, Execution } from './execution.js';

/** What came of an operation over HTTP. */
export interface HttpOutcome {
  readonly result: Answer;
  /** Nothing ran: status 400. */
  readonly refused: boolean;
}

/**
 * Runs a prepared operation for one HTTP request, or refuses it.
 *
 * @throws Rejected at the gate
 */
export async function runOverHttp(
  { execution, masking }: { execution: Execution; masking: Masking },
  operation: Operation,
  request: EdgeRequest,
  variables: Variables | undefined,
): Promise<HttpOutcome> {
  if (operation.node.operation === 'subscription') {
    await request.rateLimit.chargeRequest();
    const message = 'Subscriptions run over WebSocket, at this same path';
    return { result: { errors: [masking.requestError('BAD_REQUEST', message)] }, refused: true };
  }
  const admission = await execution.admit(operation, variables, request);
  if (!admission.ok) return { result: { errors: [admission.error] }, refused: true };
  return { result: await execution.answer(admission.admitted, request), refused: false };
}
