import type { App, RequestContext } from './context.js';
import type { Limits } from './domains/limits/index.js';
import type { EdgeRequest } from './edge/index.js';
import type { WakeUpHub } from './platform/wake-ups/wake-ups.js';
import type { Loaders } from './resolvers/loaders.js';

/** The context of one operation. What the request makes only when asked for stays unmade until a resolver asks. */
export class OperationContext implements RequestContext {
  constructor(
    private readonly request: EdgeRequest,
    readonly app: App,
    readonly hub: WakeUpHub,
    readonly limits: Limits,
    readonly loaders: Loaders,
  ) {}

  get degraded() {
    return this.request.decision?.outcome === 'DEGRADE';
  }
  get decision() {
    return this.request.decision;
  }
  get rateLimit() {
    return this.request.rateLimit;
  }
  get queryCost() {
    return this.request.queryCost;
  }

  get viewer() {
    return this.request.viewer;
  }
  get correlationId() {
    return this.request.correlationId;
  }
  get logger() {
    return this.request.logger;
  }
  get signal() {
    return this.request.signal;
  }
  get ip() {
    return this.request.ip;
  }
  get transport() {
    return this.request.transport;
  }
}
