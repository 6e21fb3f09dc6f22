import { Grid, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Empty, Failure, Loading } from '../../../common/ui/states.js';
import type { Moment } from './moment.js';
import { MomentNotice, StreamHistory } from './stream-history.js';
import { useTexts } from './texts.js';

interface ObjectPageProps<T> {
  readonly kind: string;
  readonly id: string;
  readonly moment: Moment;
  /** What `useQuery` answered. */
  readonly query: { readonly error?: unknown; readonly refetch: () => unknown };
  /** Undefined while it loads; null where there is none. */
  readonly object: T | null | undefined;
  readonly badge?: (object: T) => ReactNode;
  /** Its past states cannot be asked for: only what happened is shown. */
  readonly hasNoPast?: boolean;
  readonly children: (object: T) => ReactNode;
}

/** One object of the shop: as it is, or as it was at a moment, beside what happened to it. */
export function ObjectPage<T>(props: ObjectPageProps<T>) {
  const { kind, id, moment, query, object, badge, hasNoPast = false, children } = props;
  const t = useTexts();
  return (
    <Stack>
      <Group gap="sm">
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
          {kind} {id}
        </Title>
        {object && badge?.(object)}
      </Group>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            {!hasNoPast && <MomentNotice moment={moment} />}
            {Boolean(query.error) && <Failure error={query.error} retry={() => void query.refetch()} />}
            {object === undefined && !query.error && <Loading />}
            {object === null && <Empty title={t('notThere', { kind, id })}>{t('notThereHelp')}</Empty>}
            {object && children(object)}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <StreamHistory moment={moment} hasNoPast={hasNoPast} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** A past state must not take the place of the present one in the cache, which keeps an object once. */
export const policyAt = (asOf: string | null) =>
  asOf ? ({ fetchPolicy: 'no-cache' } as const) : ({ fetchPolicy: 'cache-and-network' } as const);
