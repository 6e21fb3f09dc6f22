import { Button, Group, Stack, Text } from '@mantine/core';
import { useCommonTexts } from './i18n.js';
import { signIn } from './session.js';
import { useWebConfig } from './web-config.js';

/** One click signs in as one of them. Nothing outside of the demo. */
export function DemoPeople({ onDone }: { readonly onDone?: () => void }) {
  const t = useCommonTexts();
  const { demoTokens } = useWebConfig();
  if (demoTokens.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('signIn.demo')}
      </Text>
      <Group gap="xs">
        {demoTokens.map(({ userId, role, token }) => (
          <Button
            key={userId}
            variant="default"
            px="sm"
            onClick={() => {
              signIn(token);
              onDone?.();
            }}
          >
            {t('signIn.as', { user: userId })} ({t(`role.${role}`)})
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
