import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useIsAdmin } from '../../../common/session.js';
import { useAct } from '../../../common/ui/act.js';
import { Empty, Loaded } from '../../../common/ui/states.js';
import { Time } from '../../../common/ui/time.js';
import type { DeliveryPanelQuery } from '../../../generated/graphql.js';
import { useChannelName } from '../../channels.js';
import { Facts } from '../../facts.js';
import { personPath } from '../../person-link.js';
import { Preview } from '../../preview/index.js';
import { DeliveryState } from './delivery-state.js';
import { deliveryQuery, retryOneMutation } from './documents.js';
import { useTexts } from './texts.js';
import { DeliveryTimeline } from './timeline.js';
import { splitError } from './words.js';

type Delivery = NonNullable<DeliveryPanelQuery['delivery']>;

/** All that is known of one delivery. */
export function DeliveryPanel({ id }: { readonly id: string }) {
  const t = useTexts();
  const query = useQuery(deliveryQuery, { variables: { id } });
  return (
    <Loaded query={query}>
      {({ delivery }) =>
        delivery ? <Delivered delivery={delivery} /> : <Empty title={t('one.deliveryMissing')} />
      }
    </Loaded>
  );
}

function Delivered({ delivery }: { readonly delivery: Delivery }) {
  const t = useTexts();
  const channelName = useChannelName();
  const { userId, channel, status, renderedContent, recipientAddress } = delivery;
  const isAdmin = useIsAdmin();
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
          {isAdmin ? (
            <Anchor component={Link} to={personPath(userId)} inherit underline="always">
              {userId}
            </Anchor>
          ) : (
            userId
          )}
          , {channelName(channel)}
        </Title>
        <Group gap="xs">
          <DeliveryState delivery={delivery} />
          {isAdmin && status === 'DEAD' && delivery.deadLetter && !delivery.deadLetter.settledAt && (
            <RetryButton deliveryId={delivery.deliveryId} />
          )}
        </Group>
      </Group>
      <DeliveryFacts delivery={delivery} />
      <Stack gap="xs">
        <Title order={3} size="h4">
          {t('one.timeline')}
        </Title>
        <DeliveryTimeline delivery={delivery} />
      </Stack>
      {delivery.targets && delivery.targets.length > 0 && <Targets targets={delivery.targets} />}
      <Stack gap="xs">
        <Title order={3} size="h4">
          {t('one.content')}
        </Title>
        {renderedContent ? (
          <Preview channel={channel} content={renderedContent} to={recipientAddress} />
        ) : (
          <Text size="sm" c="dimmed">
            {t('one.noContent')}
          </Text>
        )}
      </Stack>
    </Stack>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const t = useTexts();
  const { attempt, maxRetries, nextRetryAt, dueAt, expiresAt, recipientAddress, suppression, lastError } =
    delivery;
  return (
    <Facts
      entries={[
        [t('fact.address'), recipientAddress],
        [t('fact.retries'), t('fact.retriesOf', { attempt, most: maxRetries })],
        [t('fact.leftOut'), suppression && t(`suppression.${suppression}`)],
        [t('fact.nextAttempt'), nextRetryAt && <Time at={nextRetryAt} />],
        [t('fact.due'), dueAt && <Time at={dueAt} />],
        [t('fact.expires'), expiresAt && <Time at={expiresAt} />],
        [t('fact.lastError'), lastError && <ErrorText error={lastError} />],
        [t('fact.deliveryId'), <Code key="id">{delivery.deliveryId}</Code>],
      ]}
    />
  );
}

/** An error as its code, with words where there are some, and what the provider said. */
export function ErrorText({ error }: { readonly error: string }) {
  const t = useTexts();
  const { code, rest } = splitError(error);
  const words = t.known(`cause.${code}`);
  return (
    <>
      {code && <Code>{code}</Code>} {words === undefined ? '' : `${words}. `}
      {rest}
    </>
  );
}

function Targets({ targets }: { readonly targets: NonNullable<Delivery['targets']> }) {
  const t = useTexts();
  return (
    <Stack gap="xs">
      <Title order={3} size="h4">
        {t('one.targets')}
      </Title>
      {targets.map(({ target, error, providerId }) => (
        <Text size="sm" key={target} style={{ overflowWrap: 'anywhere' }}>
          <Text span size="sm" fw={600}>
            {target}
          </Text>
          : {error ? <ErrorText error={error} /> : t('one.taken')}
          {providerId && (
            <>
              {' '}
              <Code>{providerId}</Code>
            </>
          )}
        </Text>
      ))}
    </Stack>
  );
}

function RetryButton({ deliveryId }: { readonly deliveryId: string }) {
  const t = useTexts();
  const { act, isRunning } = useAct(retryOneMutation, {
    done: t('one.retried'),
    refetch: ['DeliveryPanel', 'NotificationPage'],
  });
  return (
    <Button size="xs" loading={isRunning} onClick={() => void act({ input: { deliveryIds: [deliveryId] } })}>
      {t('one.retry')}
    </Button>
  );
}
