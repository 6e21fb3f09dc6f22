import { Anchor, ScrollArea, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { MoreButton } from '../../../common/ui/more-button.js';
import { usePages } from '../../../common/ui/pages.js';
import { Empty, Failure, Loading } from '../../../common/ui/states.js';
import { Time } from '../../../common/ui/time.js';
import type { CorrelatedEventsQuery } from '../../../generated/graphql.js';
import { objectLink } from '../events/event-fields.js';
import classes from './correlation.module.css';
import { inLanes, type Placed } from './lanes.js';
import { useTexts } from './texts.js';

const correlatedDocument = graphql(/* GraphQL */ `
  query CorrelatedEvents($correlationId: String!, $after: String) {
    events(correlationId: $correlationId, first: 100, after: $after) {
      edges {
        cursor
        node {
          ...LoggedEvent
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

type CorrelatedEvent = NonNullable<CorrelatedEventsQuery['events']>['edges'][number]['node'];

const ROW = 64;
const HEAD = 36;
const LANE = 210;
const DOT = 14;

/** Everything that followed from one request: a lane for each kind of stream, time downwards. */
export function Correlation() {
  const t = useTexts();
  const { id = '' } = useParams();
  const { list } = usePages(correlatedDocument, { correlationId: id }, ({ events }) => events);
  const { rows, isLoaded, error, retry } = list;
  if (!isLoaded) return error ? <Failure error={error} retry={retry} /> : <Loading />;
  return (
    <Stack>
      <Title order={2} style={{ overflowWrap: 'anywhere' }}>
        {t('correlation.title', { id })}
      </Title>
      {Boolean(error) && <Failure error={error} retry={retry} />}
      {rows.length === 0 ? (
        <Empty title={t('correlation.none')}>{t('correlation.noneHelp')}</Empty>
      ) : (
        <Graph events={rows} />
      )}
      <MoreButton list={list} />
      <CopyAs document={correlatedDocument} variables={{ correlationId: id }} />
    </Stack>
  );
}

function Graph({ events }: { readonly events: readonly CorrelatedEvent[] }) {
  const t = useTexts();
  const { lanes, placed } = inLanes(events);
  const width = lanes.length * LANE;
  const height = HEAD + placed.length * ROW;
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('correlation.about', { count: events.length, lanes: lanes.length })}
      </Text>
      <ScrollArea
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('correlation.graph') }}
      >
        <div style={{ position: 'relative', width, height }}>
          <Lines placed={placed} lanes={lanes} width={width} height={height} />
          {lanes.map((name, lane) => (
            <Text
              key={name}
              fw={600}
              size="sm"
              className={classes.head!}
              style={{ left: lane * LANE, width: LANE }}
            >
              {name}
            </Text>
          ))}
          <ol className={classes.events}>
            {placed.map((one, row) => (
              <li
                key={one.event.id}
                className={classes.event}
                style={{ left: one.lane * LANE + DOT * 2, top: HEAD + row * ROW, width: LANE - DOT * 2 - 4 }}
              >
                <Event placed={one} />
              </li>
            ))}
          </ol>
        </div>
      </ScrollArea>
    </>
  );
}

function Event({ placed: { event, command, startsCommand } }: { readonly placed: Placed<CorrelatedEvent> }) {
  const object = objectLink(event.streamId);
  return (
    <>
      <Anchor
        component={Link}
        to={`/events/${event.globalPosition}`}
        size="sm"
        fw={600}
        truncate
        display="block"
      >
        {event.eventType}
      </Anchor>
      <Text size="xs" truncate title={event.streamId}>
        {object ? (
          <Anchor component={Link} to={object} size="xs">
            {event.streamId}
          </Anchor>
        ) : (
          event.streamId
        )}
      </Text>
      <Text size="xs" c="dimmed" truncate title={command}>
        {startsCommand ? <Time at={event.createdAt} /> : command}
      </Text>
    </>
  );
}

interface LinesProps {
  readonly placed: readonly Placed<CorrelatedEvent>[];
  readonly lanes: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** Lanes, a dot for each event, and a line from each to the next: solid within a command, dashed to what another did later. */
function Lines({ placed, lanes, width, height }: LinesProps) {
  const at = ({ lane }: Placed<CorrelatedEvent>, row: number) =>
    ({ x: lane * LANE + DOT, y: HEAD + row * ROW + 12 }) as const;
  return (
    <svg width={width} height={height} className={classes.lines} aria-hidden>
      {lanes.map((name, lane) => (
        <line
          key={name}
          x1={lane * LANE + DOT}
          x2={lane * LANE + DOT}
          y1={HEAD - 6}
          y2={height}
          className={classes.lane}
        />
      ))}
      {placed.slice(1).map((one, index) => {
        const from = at(placed[index]!, index);
        const to = at(one, index + 1);
        // Texts stand at the right of their dots: a line goes along lanes and through rows that have none there.
        const way = to.x >= from.x ? `V${to.y} H${to.x}` : `H${to.x} V${to.y}`;
        return (
          <path
            key={one.event.id}
            d={`M${from.x},${from.y} ${way}`}
            className={one.startsCommand ? classes.later : classes.together}
          />
        );
      })}
      {placed.map((one, row) => {
        const { x, y } = at(one, row);
        return (
          <circle key={one.event.id} cx={x} cy={y} r={one.startsCommand ? 6 : 4} className={classes.dot} />
        );
      })}
    </svg>
  );
}
