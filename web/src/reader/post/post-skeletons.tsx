import { Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useCommonTexts } from '../../common/i18n.js';
import classes from './post.module.css';

/** In the place of posts that are being loaded. */
export function PostSkeletons({ count = 4 }: { readonly count?: number }) {
  const t = useCommonTexts();
  return (
    <div role="status">
      <VisuallyHidden>{t('state.loading')}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity
        <Group key={index} className={classes.card} align="flex-start" wrap="nowrap" gap="sm">
          <Skeleton circle h={42} w={42} style={{ flex: 'none' }} />
          <Stack gap={10} flex={1}>
            <Skeleton h={12} w="40%" />
            <Skeleton h={12} />
            <Skeleton h={12} w="75%" />
          </Stack>
        </Group>
      ))}
    </div>
  );
}
