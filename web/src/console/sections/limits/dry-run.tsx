import { Alert, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useNumbers } from '../../../common/ui/numbers.js';
import { Status } from '../../../common/ui/status.js';
import type { LimitsDecisionFragment, LimitsDryRunMutation } from '../../../generated/graphql.js';
import { CallerLink } from './caller-link.js';
import { useTexts } from './texts.js';

export type DryRun = LimitsDryRunMutation['putRateLimitRules'];
type Rehearsal = NonNullable<DryRun['topCallers']>[number];
type Decision = LimitsDecisionFragment | null;

/** What a document would decide about the callers nearest to their limits, those first for whom it changes something. */
export function DryRunResult({ result }: { readonly result: DryRun }) {
  const t = useTexts();
  const callers = result.topCallers ?? [];
  const changed = callers.filter((one) => isChanged(one));
  const same = callers.filter((one) => !isChanged(one));
  const { warnings = [] } = result.ruleSet ?? {};
  return (
    <Stack gap="sm" component="section" aria-labelledby="dry-run">
      <Title order={2} id="dry-run">
        {t('dryRun.title')}
      </Title>
      <Text size="sm">
        {callers.length === 0
          ? t('dryRun.nobody')
          : t('dryRun.summary', { count: callers.length, changed: changed.length })}
      </Text>
      {warnings.length > 0 && (
        <Alert color="yellow" title={t('rules.warnings')}>
          {warnings.map((warning) => (
            <Text size="sm" key={warning}>
              {warning}
            </Text>
          ))}
        </Alert>
      )}
      {[...changed, ...same].map((one) => (
        <Caller key={`${one.near.caller} ${one.near.rule}`} rehearsal={one} />
      ))}
      <Text size="xs" c="dimmed">
        {t('dryRun.limits')}
      </Text>
    </Stack>
  );
}

const summaryOf = (decision: Decision): string =>
  decision ? `${decision.outcome} ${decision.tiers.map(({ rule, limit }) => `${rule}=${limit}`).join()}` : '';

const isChanged = ({ current, proposed }: Rehearsal): boolean => summaryOf(current) !== summaryOf(proposed);

function Caller({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const t = useTexts();
  const { percent } = useNumbers();
  const { near, current, proposed } = rehearsal;
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <CallerLink caller={near.caller} />
          {near.plan && <Status tone="over">{near.plan}</Status>}
          {isChanged(rehearsal) && <Status tone="busy">{t('dryRun.changes')}</Status>}
        </Group>
        <Text size="xs" c="dimmed">
          {t('dryRun.near', { part: percent(near.utilisation), rule: near.rule })}
        </Text>
      </Group>
      <Group gap="xl" mt="xs" align="flex-start">
        <Outcome title={t('dryRun.now')} decision={current} />
        <Outcome title={t('dryRun.then')} decision={proposed} />
      </Group>
    </Paper>
  );
}

function Outcome({ title, decision }: { readonly title: string; readonly decision: Decision }) {
  const t = useTexts();
  const { number } = useNumbers();
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      {decision ? (
        <>
          <OutcomeStatus outcome={decision.outcome} />
          {decision.tiers.map(({ rule, name, limit, used, windowSeconds }) => (
            <Text size="xs" key={`${rule} ${name} ${windowSeconds}`} className="numbers">
              {t('dryRun.tier', { rule, used: number(used), limit: number(limit) })}
            </Text>
          ))}
        </>
      ) : (
        <Text size="sm">{t('dryRun.noRule')}</Text>
      )}
    </Stack>
  );
}

const TONES = { ALLOW: 'good', DEGRADE: 'waits', REJECT: 'bad' } as const;

export function OutcomeStatus({ outcome }: { readonly outcome: keyof typeof TONES }) {
  const t = useTexts();
  return (
    <span>
      <Status tone={TONES[outcome]}>{t(`outcome.${outcome}`)}</Status>
    </span>
  );
}
