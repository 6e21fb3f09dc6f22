import { Alert, Button, Group, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useCommonTexts } from '../i18n.js';

interface Props {
  readonly children: ReactNode;
}

/** Around a page whose code may fail, or may not be there any more after a new release: the rest of the app goes on. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override state = { error: undefined as unknown };

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Broken error={error} />;
  }
}

function Broken({ error }: { readonly error: unknown }) {
  const t = useCommonTexts();
  return (
    <Alert color="red" title={t('broken.title')} role="alert">
      <Group justify="space-between">
        <Text size="sm">
          {t('broken.help')}{' '}
          <Text span ff="monospace" size="xs">
            {error instanceof Error ? error.message : String(error)}
          </Text>
        </Text>
        <Button size="xs" variant="default" onClick={() => location.reload()}>
          {t('broken.reload')}
        </Button>
      </Group>
    </Alert>
  );
}
