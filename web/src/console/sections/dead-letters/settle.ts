import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { client } from '../../../common/client.js';
import { useAct } from '../../../common/ui/act.js';
import { type Channel, channels } from '../../channels.js';
import { discardMutation, retryMutation } from './documents.js';
import { useTexts } from './texts.js';

export type Settlement = 'retry' | 'discard';

/** Which dead letters: those that are named, or all, of one channel where it is given. */
export type Selection = { readonly deliveryIds: readonly string[] } | { readonly channel: Channel | null };

/** The API takes so many at once. */
const MOST = 1_000;

/** Retries or discards a selection of any size, call by call, and says how many it were. */
export function useSettle() {
  const t = useTexts();
  const retry = useAct(retryMutation);
  const discard = useAct(discardMutation);
  const [isRunning, setRunning] = useState(false);

  type Input = { deliveryIds?: string[]; channel?: Channel };
  async function settleSome(kind: Settlement, input: Input) {
    if (kind === 'retry') {
      const outcome = await retry.act({ input });
      return outcome.ok ? outcome.data.retryDeadLetters : null;
    }
    const outcome = await discard.act({ input });
    return outcome.ok ? outcome.data.discardDeadLetters : null;
  }

  /** Undefined where a call failed: what was settled before it stays settled. */
  async function settleAll(kind: Settlement, inputs: readonly Input[]): Promise<number | undefined> {
    let affected = 0;
    for (const input of inputs) {
      let hasMore = true;
      while (hasMore) {
        const answer = await settleSome(kind, input);
        if (!answer) return undefined;
        affected += answer.affected;
        hasMore = answer.hasMore;
      }
    }
    return affected;
  }

  async function settle(kind: Settlement, selection: Selection): Promise<boolean> {
    setRunning(true);
    try {
      const affected = await settleAll(kind, inputsOf(selection));
      await client.refetchQueries({ include: ['ListDeadLetters'] }).catch(() => undefined);
      if (affected === undefined) return false;
      notifications.show({ message: t(`done.${kind}`, { count: affected }), color: 'teal' });
      return true;
    } finally {
      setRunning(false);
    }
  }

  return { settle, isRunning };
}

function inputsOf(selection: Selection) {
  if ('channel' in selection)
    return (selection.channel ? [selection.channel] : channels).map((channel) => ({ channel }));
  const ids = selection.deliveryIds;
  return Array.from({ length: Math.ceil(ids.length / MOST) }, (_, page) => ({
    deliveryIds: ids.slice(page * MOST, (page + 1) * MOST),
  }));
}
