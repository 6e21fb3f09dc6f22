import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
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
      <Table variant="vertical" layout="fixed" withTableBorder>
        <Table.Tbody>
          <Row name={t('event.position')}>{event.globalPosition}</Row>
          <Row name={t('event.at')}>
            <Time at={event.createdAt} />
          </Row>
          <Row name={t('event.stream')}>
            <Anchor component={Link} to={`/events?streamId=${encodeURIComponent(event.streamId)}`} size="sm">
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
          </Row>
          <Row name={t('event.correlation')}>
            {correlationId ? (
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
            ) : (
              '–'
            )}
          </Row>
          <Row name={t('event.causation')}>{metadataText(event, 'causationId') ?? '–'}</Row>
          <Row name={t('event.user')}>
            {userId ? (
              <Anchor component={Link} to={`/people/${encodeURIComponent(userId)}`} size="sm">
                {userId}
              </Anchor>
            ) : (
              '–'
            )}
          </Row>
        </Table.Tbody>
      </Table>
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

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th w={{ base: 110, sm: 180 }}>{name}</Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text component="div" size="sm">
          {children}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
