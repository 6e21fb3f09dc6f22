import { Alert, Anchor, Button, Group, Paper, Slider, Stack, Text, Timeline, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../common/i18n.js';
import { MoreButton } from '../../../common/ui/more-button.js';
import { Failure, Loading } from '../../../common/ui/states.js';
import { absolute, Time } from '../../../common/ui/time.js';
import { correlationLink, metadataText } from '../events/event-fields.js';
import type { Moment, StreamEvent } from './moment.js';
import { useTexts } from './texts.js';

/** What happened to an object, and a slider to see it as it was after each event. */
export function StreamHistory({
  moment,
  hasNoPast,
}: {
  readonly moment: Moment;
  readonly hasNoPast: boolean;
}) {
  const t = useTexts();
  const { index, show } = moment;
  const { rows: events, isLoaded, error, retry } = moment.list;
  if (!isLoaded) return error ? <Failure error={error} retry={retry} /> : <Loading />;
  return (
    <Stack component="section" aria-labelledby="stream-history">
      <Title order={2} id="stream-history">
        {t('history.title')}
      </Title>
      {events.length > 1 && !hasNoPast && <TimeSlider moment={moment} />}
      <Timeline active={hasNoPast ? events.length : index} bulletSize={16} lineWidth={2}>
        {events.map((event, position) => (
          <Timeline.Item key={event.id} title={<EventTitle event={event} />}>
            <Facts data={event.data} />
            <Group gap="sm" mt={4}>
              <Text size="xs" c="dimmed">
                <Time at={event.createdAt} />
              </Text>
              {!hasNoPast && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-pressed={position === index}
                  onClick={() => show(position)}
                >
                  {t('history.show')}
                </Button>
              )}
              <CorrelationLink event={event} />
            </Group>
          </Timeline.Item>
        ))}
      </Timeline>
      <MoreButton list={moment.list} />
    </Stack>
  );
}

/** Said above an object that is shown as it was. */
export function MomentNotice({ moment: { asOf, showNow } }: { readonly moment: Moment }) {
  const t = useTexts();
  if (!asOf) return null;
  return (
    <Alert color="blue" p="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {t('history.asOf')} <Time at={asOf} />
        </Text>
        <Button size="compact-sm" variant="default" onClick={showNow}>
          {t('history.now')}
        </Button>
      </Group>
    </Alert>
  );
}

function TimeSlider({ moment: { list, index, show } }: { readonly moment: Moment }) {
  const events = list.rows;
  const t = useTexts();
  const language = useLanguage();
  const [dragged, setDragged] = useState(index);
  useEffect(() => setDragged(index), [index]);
  const textAt = (position: number): string => {
    const event = events[position];
    return event ? `${event.eventType}, ${absolute(new Date(event.createdAt), language)}` : '';
  };
  return (
    <Paper withBorder px="lg" pt="sm" pb="md">
      <Text size="sm" mb="xs">
        {t('history.slider')}: <strong>{textAt(dragged)}</strong>
      </Text>
      <Slider
        min={0}
        max={events.length - 1}
        value={Math.max(dragged, 0)}
        onChange={setDragged}
        onChangeEnd={show}
        label={null}
        thumbLabel={t('history.slider')}
        thumbProps={{ 'aria-valuetext': textAt(dragged) }}
        {...(events.length <= 30 && { marks: events.map((_, value) => ({ value })) })}
      />
    </Paper>
  );
}

function EventTitle({ event }: { readonly event: StreamEvent }) {
  return (
    <Anchor component={Link} to={`/events/${event.globalPosition}`} fw={600} size="sm">
      {event.eventType}
    </Anchor>
  );
}

function CorrelationLink({ event }: { readonly event: StreamEvent }) {
  const t = useTexts();
  const id = metadataText(event, 'correlationId');
  if (!id) return null;
  return (
    <Anchor component={Link} to={correlationLink(id)} size="xs">
      {t('history.correlation')}
    </Anchor>
  );
}

const LEFT_OUT = new Set(['version', 'timestamp']);

/** The facts that are single values; the event's own page has all. */
function Facts({ data }: { readonly data: Record<string, unknown> }) {
  const facts = Object.entries(data).filter(
    ([name, value]) => !LEFT_OUT.has(name) && value !== null && typeof value !== 'object',
  );
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {facts.map(([name, value]) => `${name}: ${value}`).join(', ')}
    </Text>
  );
}
