import { Anchor, Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../../common/session.js';
import { Time } from '../../../common/ui/time.js';
import type { NotificationPageQuery } from '../../../generated/graphql.js';
import classes from './facts.module.css';
import { useTexts } from './texts.js';

type Request = NonNullable<NotificationPageQuery['notificationRequest']>;

interface FactsProps {
  readonly entries: readonly (readonly [label: string, value: ReactNode])[];
}

/** Names and values, as many beside each other as fit. What has no value is left out. */
export function Facts({ entries }: FactsProps) {
  return (
    <dl className={classes.facts}>
      {entries
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([label, value]) => (
          <Box key={label} style={{ minWidth: 0 }}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </Box>
        ))}
    </dl>
  );
}

export function RequestFacts({ request }: { readonly request: Request }) {
  const t = useTexts();
  const isAdmin = useSession()?.roles.includes('admin') ?? false;
  const { type, templateId, priority, producer, createdAt, scheduleAt, scheduleInLocalTime, expiresAt } =
    request;
  return (
    <Facts
      entries={[
        [t('fact.type'), type],
        [
          t('fact.template'),
          isAdmin ? (
            <Anchor
              key="template"
              component={Link}
              size="sm"
              to={`/templates/${encodeURIComponent(templateId)}`}
            >
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
