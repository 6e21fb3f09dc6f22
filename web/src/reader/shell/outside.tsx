import { Box, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Newspaper } from 'lucide-react';
import { useEffect } from 'react';
import { useCommonTexts } from '../../common/i18n.js';
import SignInForm from '../../common/sign-in.js';
import { useReaderTexts } from '../texts.js';

/** Where nobody is signed in. */
export default function Outside() {
  const t = useCommonTexts();
  const r = useReaderTexts();
  useEffect(() => {
    document.title = `${t('signIn.title')} · tidings`;
  }, [t]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p={{ base: 'md', xs: 'xl' }} w="100%" maw={460} radius="lg">
        <Stack>
          <Group gap="xs" c="var(--mantine-color-anchor)">
            <Newspaper size={26} aria-hidden />
            <Text fw={750} fz="xl">
              tidings
            </Text>
          </Group>
          <Box>
            <Title order={1}>{t('signIn.title')}</Title>
            <Text c="dimmed" size="sm">
              {r('welcome')}
            </Text>
          </Box>
          <SignInForm />
        </Stack>
      </Paper>
    </Center>
  );
}
