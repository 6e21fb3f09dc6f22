import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Group, Stack, Table, Text, Title } from '@mantine/core';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { graphql } from '../../../common/graphql.js';
import { useNumbers } from '../../../common/ui/numbers.js';
import { Loaded } from '../../../common/ui/states.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import { useLive } from '../../../common/use-live.js';
import type { OverviewAlertsQuery } from '../../../generated/graphql.js';
import { useTexts } from './texts.js';

const alertsDocument = graphql(/* GraphQL */ `
  query OverviewAlerts {
    active: alerts(active: true) {
      ...OverviewAlert
    }
    resolved: alerts(active: false) {
      ...OverviewAlert
    }
  }
  fragment OverviewAlert on Alert {
    id
    name
    scope
    severity
    message
    value
    threshold
    raisedAt
    resolvedAt
  }
`);

const changedDocument = graphql(/* GraphQL */ `
  subscription OverviewAlertRaised($after: String) {
    alertRaised(after: $after) {
      cursor
      alert {
        id
        resolvedAt
      }
    }
  }
`);

const SHOWN_RESOLVED = 8;

type AlertRow = NonNullable<OverviewAlertsQuery['active']>[number];

/** What is wrong now, and what was. */
export function Alerts() {
  const t = useTexts();
  const query = useQuery(alertsDocument, { pollInterval: 30_000 });
  const readAgain = () => void query.refetch();
  useLive(changedDocument, { variables: {}, onUpdate: readAgain, readAgain });
  return (
    <Stack gap="xs" component="section" aria-labelledby="alerts">
      <Title order={2} id="alerts">
        {t('alerts.title')}
      </Title>
      <Loaded query={query}>
        {({ active, resolved }) => (
          <>
            {active?.length ? (
              active.map((alert) => <ActiveAlert key={alert.id} alert={alert} />)
            ) : (
              <Group gap={6}>
                <CircleCheck size={16} color="var(--mantine-color-teal-7)" aria-hidden />
                <Text size="sm">{t('alerts.none')}</Text>
              </Group>
            )}
            <Resolved alerts={resolved?.slice(0, SHOWN_RESOLVED) ?? []} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function ActiveAlert({ alert }: { readonly alert: AlertRow }) {
  const t = useTexts();
  const { number } = useNumbers();
  return (
    <Alert
      color={alert.severity === 'CRITICAL' ? 'red' : 'yellow'}
      icon={<TriangleAlert aria-hidden />}
      title={<AlertName alert={alert} />}
    >
      <Text size="sm">{alert.message}</Text>
      <Text size="xs" mt={4}>
        {t(`severity.${alert.severity}`)} ·{' '}
        {t('alerts.measured', { value: number(alert.value), threshold: number(alert.threshold) })} ·{' '}
        <Time at={alert.raisedAt} relative />
      </Text>
    </Alert>
  );
}

function Resolved({ alerts }: { readonly alerts: readonly AlertRow[] }) {
  const t = useTexts();
  if (alerts.length === 0) return null;
  return (
    <>
      <Title order={3} size="sm" mt="xs">
        {t('alerts.resolved')}
      </Title>
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {alerts.map((alert) => (
            <Table.Tr key={alert.id}>
              <Table.Td>
                <Group gap={6}>
                  <Status tone="over">{t(`severity.${alert.severity}`)}</Status>
                  <AlertName alert={alert} />
                </Group>
                <Text size="xs" c="dimmed" mt={2}>
                  {alert.message}
                </Text>
              </Table.Td>
              <Table.Td ta="right" w={120}>
                <Text size="xs" c="dimmed">
                  <Time at={alert.raisedAt} relative />
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

/** Leads to what the guide says about it. */
function AlertName({ alert: { name, scope } }: { readonly alert: AlertRow }) {
  return (
    <Anchor href={`/docs/operations#${name}`} size="sm" fw={600}>
      {scope ? `${name}: ${scope}` : name}
    </Anchor>
  );
}
