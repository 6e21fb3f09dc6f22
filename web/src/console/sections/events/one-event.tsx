import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Group, Stack, Title } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { CodeEditor } from '../../../common/ui/code-editor.js';
import { Copy, CopyAs } from '../../../common/ui/copy.js';
import { NotFound } from '../../../common/ui/not-found.js';
import { Empty, Loaded } from '../../../common/ui/states.js';
import { Time } from '../../../common/ui/time.js';
import type { OneEventQuery } from '../../../generated/graphql.js';
import { Facts } from '../../facts.js';
import { PersonLink } from '../../person-link.js';
import { correlationLink, metadataText, objectLink } from './event-fields.js';
import { useTexts } from './texts.js';

const oneDocument = graphql(/* GraphQL */ `
  query OneEvent($position: String!) {
    events(fromPosition: $position, first: 1) {
      nodes {
        ...LoggedEvent
        data
      }
    }
  }
`);

type OneEventNode = NonNullable<OneEventQuery['events']>['nodes'][number];

export function OneEvent() {
  const { position = '' } = useParams();
  return /^\d{1,18}$/.test(position) ? (
    <At key={position} position={position} />
  ) : (
    <NotFound home="/events" />
  );
}

function At({ position }: { readonly position: string }) {
  const t = useTexts();
  const query = useQuery(oneDocument, { variables: { position }, fetchPolicy: 'no-cache' });
  return (
    <Stack>
      <Group gap="xs">
        <Step
          to={BigInt(position) - 1n}
          label={t('event.before')}
          icon={<ChevronLeft size={14} aria-hidden />}
        />
        <Step
          to={BigInt(position) + 1n}
          label={t('event.after')}
          icon={<ChevronRight size={14} aria-hidden />}
        />
      </Group>
      <Loaded query={query}>
        {({ events }) => {
          const event = events?.nodes[0];
          return event?.globalPosition === String(BigInt(position)) ? (
            <Event event={event} />
          ) : (
            <Empty title={t('event.none', { position })}>{t('event.noneHelp')}</Empty>
          );
        }}
      </Loaded>
      <CopyAs document={oneDocument} variables={{ position }} />
    </Stack>
  );
}

interface StepProps {
  readonly to: bigint;
  readonly label: string;
  readonly icon: ReactNode;
}

function Step({ to, label, icon }: StepProps) {
  if (to < 1n) return null;
  return (
    <Button component={Link} to={`/events/${to}`} size="xs" variant="default" leftSection={icon}>
      {label}
    </Button>
  );
}

function Event({ event }: { readonly event: OneEventNode }) {
  const t = useTexts();
  const object = objectLink(event.streamId);
  const correlationId = metadataText(event, 'correlationId');
  const userId = metadataText(event, 'userId');
  const data = JSON.stringify(event.data, null, 2);
  return (
    <Stack>
      <Title order={2}>{event.eventType}</Title>
      <Facts
        entries={[
          [t('event.position'), event.globalPosition],
          [t('event.at'), <Time key="at" at={event.createdAt} />],
          [
            t('event.stream'),
            <>
              <Anchor
                component={Link}
                to={`/events?streamId=${encodeURIComponent(event.streamId)}`}
                size="sm"
              >
                {event.streamId}
              </Anchor>{' '}
              #{event.streamPosition}
              {object && (
                <>
                  {' · '}
                  <Anchor component={Link} to={object} size="sm">
                    {t('event.object')}
                  </Anchor>
                </>
              )}
            </>,
          ],
          [
            t('event.correlation'),
            correlationId && (
              <>
                <Anchor
                  component={Link}
                  to={`/events?correlationId=${encodeURIComponent(correlationId)}`}
                  size="sm"
                >
                  {correlationId}
                </Anchor>
                {' · '}
                <Anchor component={Link} to={correlationLink(correlationId)} size="sm">
                  {t('event.graph')}
                </Anchor>
              </>
            ),
          ],
          [t('event.causation'), metadataText(event, 'causationId')],
          [t('event.user'), userId && <PersonLink key="user" userId={userId} />],
        ]}
      />
      <CodeEditor
        label={t('event.data')}
        value={data}
        isReadOnly
        language="text"
        minHeight="4rem"
        maxHeight="60vh"
      />
      <Group>
        <Copy text={data} />
      </Group>
    </Stack>
  );
}
