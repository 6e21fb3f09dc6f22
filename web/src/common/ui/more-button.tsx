import { Button } from '@mantine/core';
import { useCommonTexts } from '../i18n.js';
import type { ListState } from './pages.js';
import { Failure } from './states.js';

interface MoreButtonProps {
  readonly list: Pick<ListState<unknown>, 'hasMore' | 'loadMore' | 'moreError'>;
}

/** Below a list that does not ask for its next page by itself. */
export function MoreButton({ list: { hasMore, loadMore, moreError } }: MoreButtonProps) {
  const t = useCommonTexts();
  if (moreError) return <Failure error={moreError} retry={loadMore} />;
  if (!hasMore) return null;
  return (
    <Button variant="default" onClick={loadMore}>
      {t('state.more')}
    </Button>
  );
}
