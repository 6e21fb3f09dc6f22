import { Anchor, Code, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { Copy } from '../../../common/ui/copy.js';
import { Page } from '../../../common/ui/page.js';
import { Empty, Loaded } from '../../../common/ui/states.js';
import { Time } from '../../../common/ui/time.js';
import { useChannelName } from '../../channels.js';
import { Preview } from '../../preview/index.js';
import { channelOf, contentOf, headlineOf } from './content-of.js';
import { type ReceivedMessage, useSandbox } from './sandbox.js';
import { useTexts } from './texts.js';

/** One message: as its reader sees it, and as its provider got it. */
export function MessagePage({ url }: { readonly url: string }) {
  const t = useTexts();
  const { id } = useParams();
  const query = useSandbox<readonly ReceivedMessage[]>(`${url}/messages`);
  const message = query.data?.find((one) => String(one.id) === id);
  return (
    <Page
      title={message ? headlineOf(message) : t('title')}
      about={
        <Anchor component={Link} to="/sandbox" size="sm">
          {t('messages.back')}
        </Anchor>
      }
    >
      <Loaded query={query}>
        {() =>
          message ? (
            <Content message={message} />
          ) : (
            <Empty title={t('messages.gone')}>{t('messages.goneHelp')}</Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

function Content({ message }: { readonly message: ReceivedMessage }) {
  const t = useTexts();
  const channelName = useChannelName();
  const channel = channelOf(message);
  const raw = JSON.stringify({ headers: message.headers, body: message.body }, null, 2);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack>
          <Text size="sm">
            {channelName(channel)} · {message.provider} · <Time at={message.at} />
          </Text>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('messages.to')}: {message.to}
          </Text>
          {message.notificationId && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {t('messages.notification')}: {message.notificationId}
            </Text>
          )}
          <Preview channel={channel} content={contentOf(message)} to={message.to} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack gap="xs">
          <Group justify="space-between">
            <Title order={2}>{t('messages.raw')}</Title>
            <Copy text={raw} />
          </Group>
          <Code
            block
            tabIndex={0}
            aria-label={t('messages.raw')}
            style={{ maxHeight: '32rem', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {raw}
          </Code>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
