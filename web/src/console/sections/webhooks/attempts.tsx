import { Button, Code, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { graphql } from '../../../common/graphql.js';
import { useAct } from '../../../common/ui/act.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { DataList } from '../../../common/ui/data-list.js';
import { Dialog } from '../../../common/ui/dialog.js';
import { useFilters } from '../../../common/ui/filters.js';
import { usePages } from '../../../common/ui/pages.js';
import { Time } from '../../../common/ui/time.js';
import type { WebhookAttemptFragment } from '../../../generated/graphql.js';
import { Facts } from '../../facts.js';
import { ReplayDialog, replayDocument } from './replay.js';
import { AttemptState } from './state.js';
import { useTexts } from './texts.js';

graphql(/* GraphQL */ `
  fragment WebhookAttempt on WebhookDelivery {
    id
    deliveryId
    eventType
    status
    attempts
    createdAt
    deliveredAt
    nextAttemptAt
    lastStatusCode
    lastError
    lastAnswer
  }
`);

const attemptsDocument = graphql(/* GraphQL */ `
  query WebhookAttempts($webhookId: ID!, $failedOnly: Boolean!, $after: String) {
    webhook(webhookId: $webhookId) {
      id
      deliveries(first: 50, failedOnly: $failedOnly, after: $after) {
        edges {
          cursor
          node {
            ...WebhookAttempt
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

/** Events of a webhook and what became of each; one, or all since a time, may be sent again. */
export function Attempts({ webhookId }: { readonly webhookId: string }) {
  const t = useTexts();
  const [{ failed, event }, set] = useFilters({ failed: '', event: '' });
  const [isReplaying, { open, close }] = useDisclosure();
  const variables = { webhookId, failedOnly: failed === 'true' };
  const pages = usePages(attemptsDocument, variables, ({ webhook }) => webhook?.deliveries);
  const opened = pages.list.rows.find(({ deliveryId }) => deliveryId === event);
  const refetch = () => void pages.refetch();
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>{t('attempts.title')}</Title>
        <Group gap="sm">
          <Switch
            label={t('attempts.failedOnly')}
            checked={variables.failedOnly}
            onChange={(change) => set({ failed: change.currentTarget.checked ? 'true' : null })}
          />
          <Button variant="default" size="xs" onClick={open}>
            {t('replaySince')}
          </Button>
        </Group>
      </Group>
      <DataList
        label={t('attempts.title')}
        {...pages.list}
        keyOf={({ id }) => id}
        empty={
          variables.failedOnly
            ? { title: t('attempts.noneFailed') }
            : { title: t('attempts.none'), help: t('attempts.noneHelp') }
        }
        columns={[
          {
            key: 'type',
            header: t('attempts.event'),
            width: 'minmax(110px, 1.4fr)',
            render: ({ eventType, deliveryId }) => (
              <Button
                variant="transparent"
                size="compact-sm"
                px={0}
                c="var(--mantine-color-anchor)"
                aria-label={t('attempts.openOf', { event: eventType, id: deliveryId })}
                onClick={() => set({ event: deliveryId }, { replace: false })}
              >
                {eventType}
              </Button>
            ),
          },
          {
            key: 'status',
            header: t('state'),
            width: '110px',
            render: ({ status }) => <AttemptState status={status} />,
          },
          {
            key: 'answer',
            header: t('attempts.answer'),
            width: 'minmax(120px, 2fr)',
            isWideOnly: true,
            render: ({ lastError, lastStatusCode }) => (
              <span title={lastError ?? undefined}>{lastError ?? lastStatusCode ?? '–'}</span>
            ),
          },
          {
            key: 'attempts',
            isNumber: true,
            header: t('attempts.count'),
            width: '80px',
            isWideOnly: true,
            render: ({ attempts }) => <span className="numbers">{attempts}</span>,
          },
          {
            key: 'at',
            header: t('attempts.queued'),
            width: '130px',
            isWideOnly: true,
            render: ({ createdAt }) => <Time at={createdAt} relative />,
          },
          {
            key: 'next',
            header: t('attempts.next'),
            width: '130px',
            isWideOnly: true,
            render: ({ nextAttemptAt }) => (nextAttemptAt ? <Time at={nextAttemptAt} relative /> : '–'),
          },
        ]}
      />
      <CopyAs document={attemptsDocument} variables={variables} />
      {opened && (
        <AttemptDialog
          webhookId={webhookId}
          attempt={opened}
          onClose={() => set({ event: null })}
          onDone={refetch}
        />
      )}
      {isReplaying && <ReplayDialog webhookId={webhookId} onClose={close} onDone={refetch} />}
    </Stack>
  );
}

interface AttemptDialogProps {
  readonly webhookId: string;
  readonly attempt: WebhookAttemptFragment;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function AttemptDialog({ webhookId, attempt, onClose, onDone }: AttemptDialogProps) {
  const t = useTexts();
  const { act, isRunning } = useAct(replayDocument, { done: t('replayedOne') });
  const { deliveryId, eventType, status, attempts, createdAt, deliveredAt, nextAttemptAt } = attempt;
  async function replay(): Promise<void> {
    const { ok } = await act({ input: { webhookId, deliveryId } });
    if (ok) onDone();
  }
  return (
    <Dialog onClose={onClose} title={eventType} size="lg">
      <Stack>
        <Group justify="space-between">
          <AttemptState status={status} />
          <Button loading={isRunning} onClick={() => void replay()}>
            {t('replayOne')}
          </Button>
        </Group>
        <Facts
          entries={[
            ['webhook-id', <Code key="id">{deliveryId}</Code>],
            [t('attempts.count'), attempts],
            [t('attempts.queued'), <Time key="queued" at={createdAt} />],
            [t('attempts.delivered'), deliveredAt && <Time key="delivered" at={deliveredAt} />],
            [t('attempts.next'), nextAttemptAt && <Time key="next" at={nextAttemptAt} />],
            [t('attempts.code'), attempt.lastStatusCode ?? t('attempts.noAnswer')],
            [t('attempts.error'), attempt.lastError],
          ]}
        />
        {attempt.lastAnswer && (
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('attempts.body')}
            </Text>
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {attempt.lastAnswer}
            </Code>
          </div>
        )}
      </Stack>
    </Dialog>
  );
}
