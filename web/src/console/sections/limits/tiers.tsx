import { Group, Progress, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { useNumbers } from '../../../common/ui/numbers.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import type { LimitsDecisionFragment } from '../../../generated/graphql.js';
import { useTexts } from './texts.js';

type Tier = LimitsDecisionFragment['tiers'][number];

/** Every limit of a decision, the one that refuses marked. */
export function Tiers({
  tiers,
  violated,
}: {
  readonly tiers: readonly Tier[];
  readonly violated?: string | null;
}) {
  const t = useTexts();
  const { number, duration } = useNumbers();
  if (tiers.length === 0) return <Text size="sm">{t('tiers.none')}</Text>;
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('tiers.title') }}>
      <Table miw={620} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('tiers.rule')}</Table.Th>
            <Table.Th w={{ base: 150, sm: 220 }}>{t('tiers.used')}</Table.Th>
            <Table.Th>{t('tiers.window')}</Table.Th>
            <Table.Th>{t('tiers.settings')}</Table.Th>
            <Table.Th>{t('tiers.resetAt')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tiers.map((tier) => (
            <Table.Tr key={`${tier.rule} ${tier.name} ${tier.windowSeconds}`}>
              <Table.Td>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {tier.rule}
                </Text>
                {tier.name !== tier.rule && (
                  <Text size="xs" c="dimmed">
                    {tier.name}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Utilisation
                  part={tier.used / Math.max(tier.limit, 1)}
                  text={`${number(tier.used)} / ${number(tier.limit)}`}
                />
              </Table.Td>
              <Table.Td className="numbers">{duration(tier.windowSeconds * 1_000)}</Table.Td>
              <Table.Td>
                <Group gap={4}>
                  {tier.rule === violated && <Status tone="bad">{t('tiers.refuses')}</Status>}
                  {tier.shadow && <Status tone="over">{t('tiers.shadow')}</Status>}
                  <Text size="xs" c="dimmed">
                    {[
                      tier.algorithm.toLowerCase(),
                      tier.action === 'THROTTLE' && t('tiers.throttle'),
                      tier.fail === 'CLOSED' && t('tiers.failClosed'),
                      tier.softLimit !== null && t('tiers.softLimit', { limit: number(tier.softLimit) }),
                    ]
                      .filter(Boolean)
                      .join(', ')}
                  </Text>
                </Group>
              </Table.Td>
              <Table.Td>
                <Time at={tier.resetAt} relative />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

/** How much of a limit is in use, as a bar with its figures. */
export function Utilisation({ part, text }: { readonly part: number; readonly text: string }) {
  const color = part >= 1 ? 'red' : part >= 0.8 ? 'yellow' : 'brand';
  return (
    <Stack gap={2}>
      <Text size="sm" className="numbers">
        {text}
      </Text>
      <Progress value={Math.min(part, 1) * 100} color={color} size="sm" aria-label={text} />
    </Stack>
  );
}
