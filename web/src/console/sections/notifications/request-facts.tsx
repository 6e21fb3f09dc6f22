import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useIsAdmin } from '../../../common/session.js';
import { Time } from '../../../common/ui/time.js';
import type { NotificationPageQuery } from '../../../generated/graphql.js';
import { Facts } from '../../facts.js';
import { pathOf } from '../templates/words.js';
import { useTexts } from './texts.js';

type Request = NonNullable<NotificationPageQuery['notificationRequest']>;

export function RequestFacts({ request }: { readonly request: Request }) {
  const t = useTexts();
  const isAdmin = useIsAdmin();
  const { type, templateId, priority, producer, createdAt, scheduleAt, scheduleInLocalTime, expiresAt } =
    request;
  return (
    <Facts
      entries={[
        [t('fact.type'), type],
        [
          t('fact.template'),
          isAdmin ? (
            <Anchor key="template" component={Link} size="sm" to={pathOf(templateId)}>
              {templateId}
            </Anchor>
          ) : (
            templateId
          ),
        ],
        [t('fact.priority'), t(`priority.${priority}`)],
        [t('fact.producer'), producer],
        [t('fact.accepted'), <Time key="accepted" at={createdAt} />],
        [
          t('fact.scheduled'),
          scheduleAt && (
            <>
              <Time at={scheduleAt} />
              {scheduleInLocalTime && ` ${t('fact.localTime')}`}
            </>
          ),
        ],
        [t('fact.expires'), expiresAt && <Time at={expiresAt} />],
      ]}
    />
  );
}
