import type { ApolloCache, OperationVariables, TypedDocumentNode } from '@apollo/client';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { client } from '../common/client.js';
import { useErrorText } from '../common/errors.js';
import { useCommonTexts } from '../common/i18n.js';
import { userErrorsOf } from '../common/ui/act.js';

interface AtOnce<TData, TVariables> {
  readonly mutation: TypedDocumentNode<TData, TVariables>;
  readonly variables: TVariables;
  /** What the answer will be: it is shown at once, and taken away again where the API refuses. */
  readonly expected: NoInfer<TData>;
  /** What it changes: acts on the same are sent one after another. */
  readonly inOrder?: string;
  /** Changes lists of the cache: by what is expected first, then by what was answered. */
  readonly update?: (cache: ApolloCache, data: TData) => void;
}

/** Does something that is shown before it is done. Answers whether it was; a refusal is shown as a notification. */
export function useAtOnce() {
  const t = useCommonTexts();
  const errorText = useErrorText();
  return useCallback(
    async <TData, TVariables extends OperationVariables>(
      act: AtOnce<TData, TVariables>,
    ): Promise<boolean> => {
      const refused = (message: string): false => {
        notifications.show({ title: t('act.failed'), message, color: 'red', autoClose: 10_000 });
        return false;
      };
      try {
        const { data } = await client.mutate({
          mutation: act.mutation as TypedDocumentNode<unknown, OperationVariables>,
          variables: act.variables,
          context: { isAct: true, inOrder: act.inOrder },
          optimisticResponse: act.expected as unknown as Record<string, unknown>,
          update: (cache, result) => {
            const isDone = userErrorsOf(result.data).length === 0;
            if (result.data && isDone) act.update?.(cache, result.data as TData);
          },
        });
        const faults = userErrorsOf(data);
        return faults.length === 0 || refused(faults.map(({ message }) => message).join(' '));
      } catch (error) {
        return refused(errorText(error).message);
      }
    },
    [t, errorText],
  );
}
