import { Alert, Button, Center, Group, Loader, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useErrorText } from '../errors.js';
import { useCommonTexts } from '../i18n.js';

/** In the place of what is being loaded. */
export function Loading({ rows = 5 }: { readonly rows?: number }) {
  const t = useCommonTexts();
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>{t('state.loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity
        <Skeleton key={row} height={28} />
      ))}
    </Stack>
  );
}

export function LoadingLine() {
  const t = useCommonTexts();
  return (
    <Center p="sm" role="status">
      <VisuallyHidden>{t('state.loading')}</VisuallyHidden>
      <Loader size="sm" />
    </Center>
  );
}

/** Where a list has nothing: why, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Center py="xl" px="md">
      <Stack gap={4} align="center" maw={460} ta="center">
        <Text fw={600}>{title}</Text>
        {children && (
          <Text component="div" c="dimmed" size="sm">
            {children}
          </Text>
        )}
      </Stack>
    </Center>
  );
}

/** Where something could not be loaded: the code, the message, and another try. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const t = useCommonTexts();
  const { code, message } = useErrorText()(error);
  return (
    <Alert color="red" title={t('state.failed')} role="alert">
      <Group justify="space-between">
        <Text size="sm">
          {message}{' '}
          <Text span ff="monospace" size="xs">
            {code}
          </Text>
        </Text>
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('state.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

interface LoadedProps<T> {
  /** What `useQuery` answered. */
  readonly query: {
    readonly data?: T | undefined;
    readonly error?: unknown;
    readonly refetch: () => unknown;
  };
  readonly loading?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** The three states of a query. What was loaded before stays visible under an error. */
export function Loaded<T>({ query: { data, error, refetch }, loading, children }: LoadedProps<T>) {
  const failure = error ? <Failure error={error} retry={() => void refetch()} /> : null;
  if (data === undefined) return failure ?? loading ?? <Loading />;
  return (
    <>
      {failure}
      {children(data)}
    </>
  );
}
