import { Alert } from '@mantine/core';
import { useConnectionStatus } from '../connection-status.js';
import { useCommonTexts } from '../i18n.js';

/** Above the page while live updates do not come. They are asked for again by themselves. */
export function ConnectionLine() {
  const t = useCommonTexts();
  const isLost = useConnectionStatus() === 'lost';
  // What is announced has to appear in a region that was there before.
  return (
    <div role="status">
      {isLost && (
        <Alert color="yellow" mb="md" role="presentation">
          {t('state.reconnecting')}
        </Alert>
      )}
    </div>
  );
}
