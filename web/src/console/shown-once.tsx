import { Alert, Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import { useCommonTexts } from '../common/i18n.js';

interface ShownOnceProps {
  readonly label: string;
  readonly secret: string;
  /** What it is for, and that it is not shown again. */
  readonly about: string;
  readonly onClose: () => void;
}

/** A credential that the API answers once and never again: to be copied before the window is closed. */
export function ShownOnce({ label, secret, about, onClose }: ShownOnceProps) {
  const c = useCommonTexts();
  return (
    <Stack>
      <Alert color="yellow" title={label}>
        {about}
      </Alert>
      <Code block aria-label={label} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {secret}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button onClick={copy} data-autofocus>
              {copied ? c('act.copied') : c('act.copy')}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          {c('act.close')}
        </Button>
      </Group>
    </Stack>
  );
}
