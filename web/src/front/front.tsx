import { Anchor, Button, Card, Container, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Suspense, useEffect } from 'react';
import { DemoPeople } from '../common/demo-people.js';
import { defineTexts, useCommonTexts } from '../common/i18n.js';
import { signOut, useSession } from '../common/session.js';
import { ViewerMenu } from '../common/ui/viewer-menu.js';
import { useWebConfig } from '../common/web-config.js';
import de from './messages/de.json';
import en from './messages/en.json';

const useTexts = defineTexts(en, de);

/** What is where, for somebody who has just started the product. */
export function Front() {
  const t = useTexts();
  useEffect(() => {
    document.title = t('title');
  }, [t]);
  return (
    <Container component="main" size="md" py="xl">
      <Stack gap="xl">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={1}>{t('title')}</Title>
            <Text c="dimmed" maw={560}>
              {t('about')}
            </Text>
          </div>
          <ViewerMenu />
        </Group>
        <Suspense>
          <Who />
          <Places />
        </Suspense>
      </Stack>
    </Container>
  );
}

function Who() {
  const t = useTexts();
  const c = useCommonTexts();
  const session = useSession();
  const { demoTokens } = useWebConfig();
  if (demoTokens.length === 0 && !session) return null;
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Title order={2}>{t('who')}</Title>
        <Text size="sm" c="dimmed">
          {t('whoHelp')}
        </Text>
        <DemoPeople />
        {session && (
          <Group gap="xs" role="status">
            <Text size="sm">{t('signedIn', { user: session.userId })}</Text>
            <Button size="compact-xs" variant="default" onClick={signOut}>
              {c('signIn.out')}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
}

function Places() {
  const t = useTexts();
  const { graphiql, environment } = useWebConfig();
  const places = [
    { name: 'reader', href: '/app' },
    { name: 'console', href: '/console' },
    ...(graphiql ? [{ name: 'graphiql', href: '/graphiql' } as const] : []),
    { name: 'guides', href: '/docs/README' },
    ...(environment === 'development' ? [{ name: 'rest', href: '/docs/api' } as const] : []),
  ] as const;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {places.map(({ name, href }) => (
        <Card key={name} withBorder>
          <Stack gap={4}>
            <Title order={2}>
              <Anchor href={href} inherit>
                {t(`${name}.title`)}
              </Anchor>
            </Title>
            <Text size="sm">{t(`${name}.about`)}</Text>
          </Stack>
        </Card>
      ))}
    </SimpleGrid>
  );
}
