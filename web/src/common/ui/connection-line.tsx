import { Alert } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useConnectionStatus, useOnFound } from '../connection-status.js';
import { useCommonTexts } from '../i18n.js';

const FOUND_FOR_MS = 6_000;

/** Above the page while live updates, or answers at all, do not come, and for a moment after. They are asked for again by themselves. */
export function ConnectionLine() {
  const t = useCommonTexts();
  const status = useConnectionStatus();
  const isBack = useIsBack();
  const isAway = status === 'lost' || status === 'unreachable';
  // What is announced has to appear in a region that was there before.
  return (
    <div role="status">
      {isAway && (
        <Alert color="yellow" mb="md" role="presentation">
          {t(status === 'lost' ? 'state.reconnecting' : 'state.offline')}
        </Alert>
      )}
      {!isAway && isBack && (
        <Alert color="teal" mb="md" role="presentation">
          {t('state.found')}
        </Alert>
      )}
    </div>
  );
}

function useIsBack(): boolean {
  const [foundAt, setFoundAt] = useState<number>();
  useOnFound(() => setFoundAt(Date.now()));
  useEffect(() => {
    if (foundAt === undefined) return;
    const timer = setTimeout(() => setFoundAt(undefined), FOUND_FOR_MS);
    return () => clearTimeout(timer);
  }, [foundAt]);
  return foundAt !== undefined;
}
