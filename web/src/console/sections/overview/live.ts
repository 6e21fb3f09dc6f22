import { useQuery, useSubscription } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { useOnFound } from '../../../common/connection-status.js';
import { graphql } from '../../../common/graphql.js';
import type { OverviewHistoryQuery, OverviewLiveSubscription } from '../../../generated/graphql.js';

export const liveDocument = graphql(/* GraphQL */ `
  subscription OverviewLive {
    operations {
      at
      deliveriesPerSecond
      eventsPerSecond
      feedReadsPerSecond
      feedReadP99Ms
      highPriorityP99Ms
      projectorLagMs
      rateLimitedPerSecond
      processes
      isComplete
      queues {
        id
        name
        waiting
        delayed
        active
        failed
        oldestWaitingMs
      }
    }
  }
`);

const historyDocument = graphql(/* GraphQL */ `
  query OverviewHistory {
    operationsHistory {
      at
      deliveriesPerSecond
      eventsPerSecond
      feedReadsPerSecond
      feedReadP99Ms
      highPriorityP99Ms
      projectorLagMs
      rateLimitedPerSecond
      waitingJobs
    }
  }
`);

export type Sample = OverviewLiveSubscription['operations'];
type Point = Omit<NonNullable<OverviewHistoryQuery['operationsHistory']>[number], '__typename'>;
export type Figure = Exclude<keyof Point, 'at'>;

const WINDOW_MS = 15 * 60_000;
const STEP_MS = 10_000;

/** The newest sample, and points of the last 15 minutes: those that the API has kept, then one in ten seconds of the live ones. */
export function useOperations() {
  const [latest, setLatest] = useState<Sample>();
  const [points, setPoints] = useState<readonly Point[]>([]);
  const history = useQuery(historyDocument, { fetchPolicy: 'network-only' });
  const live = useSubscription(liveDocument, {
    onData: ({ data: { data } }) => {
      if (!data) return;
      setLatest(data.operations);
      setPoints((before) => withSample(before, data.operations));
    },
  });
  const kept = history.data?.operationsHistory;
  useEffect(() => {
    if (kept) setPoints((before) => merged(kept, before));
  }, [kept]);

  // What happened while the connection was lost is in the history.
  useOnFound(() => void history.refetch());

  return { latest, points, error: live.error ?? history.error };
}

export function withSample(points: readonly Point[], sample: Sample): readonly Point[] {
  const at = Date.parse(sample.at);
  const last = points.at(-1);
  if (last && at - Date.parse(last.at) < STEP_MS) return points;
  const { queues, ...figures } = sample;
  const waitingJobs = waitingOf(queues);
  return within([...points, { ...figures, waitingJobs }], at);
}

function merged(kept: readonly Point[], live: readonly Point[]): readonly Point[] {
  const newest = kept.at(-1);
  if (!newest) return live;
  const after = Date.parse(newest.at) + STEP_MS / 2;
  const all = [...kept, ...live.filter(({ at }) => Date.parse(at) > after)];
  return within(all, Date.parse(all.at(-1)!.at));
}

const within = (points: readonly Point[], now: number): readonly Point[] =>
  points.filter(({ at }) => now - Date.parse(at) <= WINDOW_MS);

export const waitingOf = (queues: readonly { readonly waiting: number }[]): number =>
  queues.reduce((sum, { waiting }) => sum + waiting, 0);
