import { Alert } from '@mantine/core';
import { useConnectionStatus } from '../connection-status.js';
import { useCommonTexts } from '../i18n.js';

/** Above the page while live updates do not come. They are asked for again by themselves. */
export function ConnectionLine() {
  const t = useCommonTexts();
  if (useConnectionStatus() !== 'lost') return null;
  return (
    <Alert color="yellow" mb="md" role="status">
      {t('state.reconnecting')}
    </Alert>
  );
}
