import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { client } from '../../../common/client.js';
import { useOnFound } from '../../../common/connection-status.js';
import { useErrorText } from '../../../common/errors.js';
import type { UserFault } from '../../../common/ui/act.js';
import { validateDocument } from './documents.js';

const TYPING_MS = 700;
const AGAIN_AFTER_MS = 5_000;
const NOTHING: readonly UserFault[] = [];

/**
 * What the API finds wrong with a text, asked once the typing pauses. A question that is not answered, or refused by a limit, says
 * nothing about it: it is asked again until it is answered.
 *
 * @returns `failure`: why it is not answered yet; null where it is only under way
 */
export function useFaults(text: string, isWanted: boolean) {
  const errorText = useErrorText();
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const [checked, setChecked] = useState<{ readonly of: string; readonly faults: readonly UserFault[] }>();
  const [failed, setFailed] = useState<{ readonly of: string; readonly error: unknown }>();
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the next try asks the same
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    client
      .mutate({ mutation: validateDocument, variables: { document: settled } })
      .then(({ data }) => {
        if (!isCurrent) return;
        setFailed(undefined);
        setChecked({ of: settled, faults: data?.putRateLimitRules.userErrors ?? [] });
      })
      .catch((error: unknown) => isCurrent && setFailed({ of: settled, error }));
    return () => {
      isCurrent = false;
    };
  }, [settled, isWanted, tries]);

  useEffect(() => {
    if (!failed) return;
    const timer = setTimeout(() => setTries((before) => before + 1), AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [failed]);
  useOnFound(() => {
    if (failed) setTries((before) => before + 1);
  });

  return {
    // While a text is being written, faults of the one before stay at their places.
    faults: isWanted ? (checked?.faults ?? NOTHING) : NOTHING,
    isChecked: checked?.of === text,
    failure: failed?.of === text ? errorText(failed.error).message : null,
  };
}
