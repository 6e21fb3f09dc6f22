import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { findQuery } from './documents.js';
import { useTexts } from './texts.js';
import { pathOfNotification } from './words.js';

interface FoundByIdProps {
  readonly text: string;
  /** Shown where nothing has the id. */
  readonly otherwise?: string;
}

/** What is typed into the search may be an id: the notification or the delivery that has it. */
export function FoundById({ text, otherwise }: FoundByIdProps) {
  const t = useTexts();
  const { data } = useQuery(findQuery, { variables: { id: text }, skip: /\s/.test(text) || text.length < 3 });
  const request = data?.notificationRequest;
  const delivery = data?.delivery;
  if (!request && !delivery?.request)
    return data && otherwise ? (
      <Text size="sm" role="status">
        {otherwise}
      </Text>
    ) : null;
  return (
    <Alert color="brand" p="xs" role="status">
      {t('search.isId')}{' '}
      <Anchor
        component={Link}
        to={
          request
            ? pathOfNotification(request.id)
            : pathOfNotification(delivery!.request!.id, delivery!.deliveryId)
        }
      >
        {request ? `${request.notificationId} (${request.type})` : text}
      </Anchor>
    </Alert>
  );
}
