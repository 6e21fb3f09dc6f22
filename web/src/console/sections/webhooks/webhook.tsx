import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Button, Code, Group, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { NotFound } from '../../../common/ui/not-found.js';
import { Page } from '../../../common/ui/page.js';
import { Loaded } from '../../../common/ui/states.js';
import { Time } from '../../../common/ui/time.js';
import type { WebhookRowFragment } from '../../../generated/graphql.js';
import { Facts } from '../../facts.js';
import { Attempts } from './attempts.js';
import { ChangeDialog, updateDocument } from './change.js';
import { DeleteDialog } from './delete.js';
import { RotateDialog } from './rotate.js';
import { WebhookState } from './state.js';
import { useTexts } from './texts.js';

const webhookDocument = graphql(/* GraphQL */ `
  query WebhookPage($webhookId: ID!) {
    webhook(webhookId: $webhookId) {
      ...WebhookRow
    }
  }
`);

/** One webhook: its state, what may be done with it, and what became of its events. */
export function WebhookPage() {
  const { webhookId = '' } = useParams();
  const query = useQuery(webhookDocument, { variables: { webhookId } });
  return (
    <Loaded query={query}>
      {({ webhook }) => (webhook ? <One webhook={webhook} /> : <NotFound home="/webhooks" />)}
    </Loaded>
  );
}

type Dialog = 'change' | 'rotate' | 'delete';

function One({ webhook }: { readonly webhook: WebhookRowFragment }) {
  const t = useTexts();
  const c = useCommonTexts();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const { webhookId, url, disabledReason, isActive } = webhook;
  return (
    <Page
      title={t('one')}
      about={<span style={{ overflowWrap: 'anywhere' }}>{url}</span>}
      actions={
        <>
          <Button variant="default" onClick={() => setDialog('change')}>
            {c('act.edit')}
          </Button>
          <Button variant="default" onClick={() => setDialog('rotate')}>
            {t('rotate')}
          </Button>
          <Button variant="default" onClick={() => setDialog('delete')}>
            {c('act.delete')}
          </Button>
        </>
      }
    >
      <Stack>
        <Anchor component={Link} to="/webhooks" size="sm">
          {t('toList')}
        </Anchor>
        {!isActive && disabledReason && (
          <Alert color="red" title={t('disabledTitle')}>
            {disabledReason}
          </Alert>
        )}
        <WebhookFacts webhook={webhook} />
        <Attempts webhookId={webhookId} />
      </Stack>
      {dialog === 'change' && <ChangeDialog webhook={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateDialog webhookId={webhookId} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog webhook={webhook} onClose={close} />}
    </Page>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: WebhookRowFragment }) {
  const t = useTexts();
  const { webhookId, ownerId, eventTypes, notificationTypes, isActive, createdAt } = webhook;
  const { act } = useAct(updateDocument, {
    done: t(isActive ? 'offDone' : 'onDone'),
    inOrder: webhookId,
  });
  return (
    <Stack gap="sm">
      <Group gap="md">
        <WebhookState webhook={webhook} />
        <Switch
          label={t('sends')}
          checked={isActive}
          onChange={(event) => void act({ input: { webhookId, isActive: event.currentTarget.checked } })}
        />
      </Group>
      <Facts
        entries={[
          [t('events'), eventTypes.join(', ')],
          [t('kinds'), notificationTypes.join(', ') || t('allKinds')],
          [t('owner'), ownerId],
          [t('created'), <Time key="created" at={createdAt} />],
          [t('id'), <Code key="id">{webhookId}</Code>],
        ]}
      />
    </Stack>
  );
}
