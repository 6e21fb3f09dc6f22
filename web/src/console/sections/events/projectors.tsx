import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Paper, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../../common/graphql.js';
import { useNumbers } from '../../../common/ui/numbers.js';
import { Empty, Loaded } from '../../../common/ui/states.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import type { ProjectorListQuery } from '../../../generated/graphql.js';
import { ProjectorDialog } from './projector-dialog.js';
import { useTexts } from './texts.js';

const projectorsDocument = graphql(/* GraphQL */ `
  query ProjectorList {
    projectors {
      id
      name
      state
      lagEvents
      lagMs
      lastPosition
      headPosition
      lastError
      updatedAt
      rebuiltAt
      rebuild {
        position
        targetPosition
        requestedAt
        requestedBy
        startedAt
      }
    }
  }
`);

const POLL_MS = 2_000;

type Projector = NonNullable<ProjectorListQuery['projectors']>[number];
type Act = 'rebuild' | 'forget';

const TONES = { LIVE: 'good', CATCHING_UP: 'waits', REBUILDING: 'busy', STALLED: 'bad' } as const;
const URGENCY = ['STALLED', 'CATCHING_UP', 'REBUILDING', 'LIVE'];

/** Every projector: how far it is and why it is not further; those that need a look first. */
export function Projectors() {
  const t = useTexts();
  const query = useQuery(projectorsDocument, {
    pollInterval: POLL_MS,
    skipPollAttempt: () => document.visibilityState === 'hidden',
  });
  const [asked, setAsked] = useState<{ readonly act: Act; readonly name: string }>();
  return (
    <Loaded query={query}>
      {({ projectors }) => (
        <>
          {projectors?.length ? (
            <SimpleGrid cols={{ base: 1, lg: 2 }} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {[...projectors].sort(byUrgency).map((projector) => (
                <OneProjector
                  key={projector.id}
                  projector={projector}
                  onAct={(act) => setAsked({ act, name: projector.name })}
                />
              ))}
            </SimpleGrid>
          ) : (
            <Empty title={t('projector.none')} />
          )}
          {asked && (
            <ProjectorDialog
              {...asked}
              onClose={() => setAsked(undefined)}
              onDone={() => void query.refetch().catch(() => undefined)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

const byUrgency = (a: Projector, b: Projector): number =>
  URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state) || a.name.localeCompare(b.name);

interface OneProjectorProps {
  readonly projector: Projector;
  readonly onAct: (act: Act) => void;
}

function OneProjector({ projector, onAct }: OneProjectorProps) {
  const t = useTexts();
  const { number, duration } = useNumbers();
  const {
    name,
    state,
    lagEvents,
    lagMs,
    lastPosition,
    headPosition,
    lastError,
    updatedAt,
    rebuiltAt,
    rebuild,
  } = projector;
  return (
    <Paper component="li" withBorder p="sm">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            <Status tone={TONES[state]}>{t(`projector.state.${state}`)}</Status>
          </Group>
          <Group gap="xs">
            {lagEvents > 0 && (
              <Button size="compact-sm" variant="default" onClick={() => onAct('forget')}>
                {t('projector.forget.open')}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="default"
              disabled={rebuild !== null}
              onClick={() => onAct('rebuild')}
            >
              {t('projector.rebuild.open')}
            </Button>
          </Group>
        </Group>
        <Text size="sm" className="numbers">
          {t('projector.position', { last: lastPosition, head: headPosition })} ·{' '}
          {lagEvents === 0
            ? t('projector.upToDate')
            : t('projector.lag', { count: lagEvents, events: number(lagEvents), age: duration(lagMs) })}
        </Text>
        <Text size="xs" c="dimmed">
          {t('projector.updated')} <Time at={updatedAt} relative />
          {rebuiltAt && (
            <>
              {' · '}
              {t('projector.rebuilt')} <Time at={rebuiltAt} relative />
            </>
          )}
        </Text>
        {lastError && (
          <Alert color="red" title={t('projector.error')} p="xs">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {lastError}
            </Text>
          </Alert>
        )}
        {rebuild && <Rebuild rebuild={rebuild} />}
      </Stack>
    </Paper>
  );
}

function Rebuild({ rebuild }: { readonly rebuild: NonNullable<Projector['rebuild']> }) {
  const t = useTexts();
  const { percent } = useNumbers();
  const { position, targetPosition, requestedAt, requestedBy, startedAt } = rebuild;
  const part = Math.min(Number(position) / Math.max(Number(targetPosition), 1), 1);
  const text = startedAt
    ? t('projector.rebuild.progress', { part: percent(part), position, target: targetPosition })
    : t('projector.rebuild.waits');
  return (
    <Stack gap={4}>
      <Text size="sm">{text}</Text>
      <Progress value={part * 100} aria-label={text} animated={startedAt !== null} />
      <Text size="xs" c="dimmed">
        {t('projector.rebuild.requested', { user: requestedBy })} <Time at={requestedAt} relative />
      </Text>
    </Stack>
  );
}
