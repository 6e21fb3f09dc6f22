import type { SubscribePayload } from 'graphql-ws';
import type { Gate } from '../../platform/gate.js';
import { OPERATION_ENDPOINT } from '../../platform/gate.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { RequestSource } from '../gate/edge-request.js';
import { requestEndpoints } from '../gate/rate-limit-check.js';
import type { Connection } from './connection.js';
import { type OperationTrace, traceOperation } from './traced-operation.js';

/** An operation of a socket between its message and its end. */
export class OpenOperation implements RequestSource {
  /** Its document, variables and limits are checked still. */
  checking = true;
  readonly trace: OperationTrace;
  private onLeft: (() => void) | undefined = undefined;

  /**
   * @param payload its message's own, by which it is known: a client may use an id again as soon as it has completed the
   *   operation
   */
  constructor(
    private readonly connection: Connection,
    private readonly id: string,
    readonly payload: SubscribePayload,
    readonly correlationId: string,
    readonly gate: Gate,
  ) {
    this.trace = traceOperation(connection, payload);
  }

  /** Whether the client still waits for it. */
  get isOpen(): boolean {
    return this.connection.open.get(this.id) === this;
  }

  get transport(): 'websocket' {
    return 'websocket';
  }

  get viewer() {
    return this.connection.viewer;
  }

  get address() {
    return this.connection.address;
  }

  get logger(): Logger {
    return this.connection.logger;
  }

  get endpoints() {
    return requestEndpoints(OPERATION_ENDPOINT, 'valid');
  }

  onLeave(then: () => void): void {
    if (!this.isOpen) {
      then();
      return;
    }
    const before = this.onLeft;
    this.onLeft = () => {
      before?.();
      then();
    };
  }

  /** Its client waits for it no more. */
  leave(): void {
    const then = this.onLeft;
    this.onLeft = undefined;
    then?.();
    // It is checked, and may never be executed.
    if (!this.checking) this.trace.end('completed by client');
  }
}
