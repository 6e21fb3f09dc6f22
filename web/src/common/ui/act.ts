import type { ApolloCache, OperationVariables, TypedDocumentNode } from '@apollo/client';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { client } from '../client.js';
import { useErrorText } from '../errors.js';
import { useCommonTexts } from '../i18n.js';
import { countAct } from './acts-done.js';

export interface UserFault {
  readonly code: string;
  readonly message: string;
  readonly path?: readonly string[] | null;
}

interface ActOptions<TData> {
  /** Shown once it is done. Absent: nothing is shown. */
  readonly done?: string | ((data: TData) => string);
  /** Names of queries, or all active ones that hold what changed. */
  readonly refetch?: 'active' | readonly string[];
  /** Changes what is kept, before anything is shown of it: where the answer is another object than the one that was shown. */
  readonly update?: (cache: ApolloCache, data: TData) => void;
  /** What it changes: acts on the same are sent one after another. */
  readonly inOrder?: string;
}

type Outcome<TData> =
  | { readonly ok: true; readonly data: TData }
  | { readonly ok: false; readonly faults: readonly UserFault[] };

/**
 * One mutation, as a button or a form uses it. What the API refuses by `userErrors` comes back as faults, for their fields;
 * everything else that fails is shown as a notification too, and what was typed stays.
 */
export function useAct<TData, TVariables extends OperationVariables>(
  mutation: TypedDocumentNode<TData, TVariables>,
  { done, refetch, update, inOrder }: ActOptions<TData> = {},
) {
  const t = useCommonTexts();
  const errorText = useErrorText();
  const [isRunning, setRunning] = useState(false);
  const [faults, setFaults] = useState<readonly UserFault[]>([]);

  async function act(variables: TVariables): Promise<Outcome<TData>> {
    setRunning(true);
    setFaults([]);
    try {
      const { data } = await client.mutate({
        mutation,
        variables,
        context: { isAct: true, inOrder },
        update: (cache, { data }) => {
          if (data && userErrorsOf(data).length === 0) update?.(cache, data as TData);
        },
      } as Parameters<typeof client.mutate>[0]);
      const found = userErrorsOf(data);
      if (found.length > 0) return refused(found);
      countAct();
      // It is done also where what it changed cannot be loaded again: the lists say so themselves.
      if (refetch)
        await client
          .refetchQueries({ include: refetch === 'active' ? 'active' : [...refetch] })
          .catch(() => undefined);
      const message = typeof done === 'function' ? done(data as TData) : done;
      if (message) notifications.show({ message, color: 'teal' });
      return { ok: true, data: data as TData };
    } catch (error) {
      return refused([errorText(error)]);
    } finally {
      setRunning(false);
    }
  }

  function refused(found: readonly UserFault[]): Outcome<TData> {
    setFaults(found);
    notifications.show({
      title: t('act.failed'),
      message: found.map(({ message }) => message).join(' '),
      color: 'red',
      autoClose: 10_000,
    });
    return { ok: false, faults: found };
  }

  return { act, isRunning, faults, faultAt: (field: string) => faultAt(faults, field) };
}

/** The message of the first fault whose path ends in a field, or goes through it. */
export const faultAt = (faults: readonly UserFault[], field: string): string | undefined =>
  faults.find(({ path }) => path?.includes(field))?.message;

export function userErrorsOf(data: unknown): readonly UserFault[] {
  const [payload] = Object.values(
    (data ?? {}) as Record<string, { userErrors?: readonly UserFault[] } | null>,
  );
  return payload?.userErrors ?? [];
}
