import type { Benchmark } from '../harness/benchmark.ts';
import { aggregateLoad } from './aggregate-load/index.ts';
import { campaignExpand } from './campaign-expand/index.ts';
import { campaignMixed } from './campaign-mixed/index.ts';
import { consoleScroll } from './console-scroll/index.ts';
import { feedCold } from './feed-cold/index.ts';
import { feedFanout } from './feed-fanout/index.ts';
import { feedMemory } from './feed-memory/index.ts';
import { feedRead } from './feed-read/index.ts';
import { graphqlPage } from './graphql-page/index.ts';
import { limitCheck } from './limit-check/index.ts';
import { limitGate } from './limit-gate/index.ts';
import { logAppend } from './log-append/index.ts';
import { notifyBlocked } from './notify-blocked/index.ts';
import { notifyDrain } from './notify-drain/index.ts';
import { notifyHeldOpen } from './notify-held-open/index.ts';
import { notifyIntake } from './notify-intake/index.ts';
import { notifyRender } from './notify-render/index.ts';
import { notifyRetention } from './notify-retention/index.ts';
import { notifySustained } from './notify-sustained/index.ts';
import { operationCost } from './operation-cost/index.ts';
import { orderPlace } from './order-place/index.ts';
import { projectionDelay } from './projection-delay/index.ts';
import { projectorRebuild } from './projector-rebuild/index.ts';
import { scale } from './scale/index.ts';
import { segmentEstimate } from './segment-estimate/index.ts';
import { start } from './start/index.ts';
import { subscriptions } from './subscriptions/index.ts';
import { webhookDrain } from './webhook-drain/index.ts';

/** Every benchmark, by the order of the README. */
export const benchmarks: readonly Benchmark[] = [
  graphqlPage,
  logAppend,
  orderPlace,
  projectionDelay,
  aggregateLoad,
  projectorRebuild,
  limitCheck,
  limitGate,
  notifyIntake,
  notifyRetention,
  notifyRender,
  notifyDrain,
  notifySustained,
  notifyHeldOpen,
  notifyBlocked,
  campaignExpand,
  campaignMixed,
  segmentEstimate,
  webhookDrain,
  feedFanout,
  feedMemory,
  subscriptions,
  feedRead,
  feedCold,
  consoleScroll,
  scale,
  operationCost,
  start,
];
