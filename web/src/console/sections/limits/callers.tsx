import { useQuery } from '@apollo/client/react';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { DataList } from '../../../common/ui/data-list.js';
import { useNumbers } from '../../../common/ui/numbers.js';
import { Loaded } from '../../../common/ui/states.js';
import { Time } from '../../../common/ui/time.js';
import type { LimitsCallersQuery } from '../../../generated/graphql.js';
import { CallerLink } from './caller-link.js';
import { useTexts } from './texts.js';
import { Tiers, Utilisation } from './tiers.js';

const callersDocument = graphql(/* GraphQL */ `
  query LimitsCallers {
    rateLimitTopCallers(first: 100) {
      caller
      plan
      rule
      utilisation
      seenAt
    }
    rateLimitPreview(descriptors: [{ key: "global" }]) {
      ...LimitsDecision
    }
  }
`);

const POLL_MS = 3_000;

type Caller = NonNullable<LimitsCallersQuery['rateLimitTopCallers']>[number];

/** How much of the limits is in use now: of those that all share, of each rule, and by whom. */
export function Callers() {
  const t = useTexts();
  const query = useQuery(callersDocument, {
    pollInterval: POLL_MS,
    skipPollAttempt: () => document.visibilityState === 'hidden',
  });
  return (
    <Loaded query={query}>
      {({ rateLimitTopCallers, rateLimitPreview }) => (
        <Stack gap="xl">
          <Stack gap="xs" component="section" aria-labelledby="shared">
            <Title order={2} id="shared">
              {t('callers.shared')}
            </Title>
            <Tiers tiers={rateLimitPreview?.tiers.filter(isShared) ?? []} />
          </Stack>
          <ByRule callers={rateLimitTopCallers ?? []} />
          <TopCallers callers={rateLimitTopCallers ?? []} />
        </Stack>
      )}
    </Loaded>
  );
}

/** The rest is what a request of nobody would meet. */
const isShared = ({ rule }: { readonly rule: string }): boolean => /^global(\/|$)/.test(rule);

function ByRule({ callers }: { readonly callers: readonly Caller[] }) {
  const t = useTexts();
  const { percent } = useNumbers();
  const rules = Object.entries(Object.groupBy(callers, ({ rule }) => rule));
  if (rules.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-labelledby="by-rule">
      <Title order={2} id="by-rule">
        {t('callers.byRule')}
      </Title>
      {rules.map(([rule, ofRule = []]) => {
        const most = Math.max(...ofRule.map(({ utilisation }) => utilisation));
        const text = t('callers.ofRule', { count: ofRule.length, part: percent(most) });
        return (
          <Stack gap={2} key={rule}>
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {rule}
            </Text>
            <Utilisation part={most} text={text} />
          </Stack>
        );
      })}
    </Stack>
  );
}

function TopCallers({ callers }: { readonly callers: readonly Caller[] }) {
  const t = useTexts();
  const { percent } = useNumbers();
  return (
    <Stack gap="xs" component="section" aria-labelledby="top-callers">
      <Title order={2} id="top-callers">
        {t('callers.top')}
      </Title>
      <DataList
        asked={{ document: callersDocument }}
        label={t('callers.top')}
        rows={callers}
        isLoaded
        keyOf={({ caller, rule }) => `${caller} ${rule}`}
        empty={{ title: t('callers.none'), help: t('callers.noneHelp') }}
        columns={[
          {
            key: 'caller',
            header: t('callers.caller'),
            width: 'minmax(70px, 1fr)',
            render: ({ caller }) => <CallerLink caller={caller} />,
          },
          {
            key: 'used',
            header: t('tiers.used'),
            width: 'minmax(80px, 160px)',
            render: ({ utilisation }) => <Utilisation part={utilisation} text={percent(utilisation)} />,
          },
          {
            key: 'plan',
            header: t('callers.plan'),
            width: '110px',
            isWideOnly: true,
            render: ({ plan }) => plan ?? '–',
          },
          {
            key: 'rule',
            header: t('tiers.rule'),
            width: 'minmax(160px, 2fr)',
            isWideOnly: true,
            render: ({ rule }) => rule,
          },
          {
            key: 'seen',
            header: t('callers.seen'),
            width: '130px',
            isWideOnly: true,
            render: ({ seenAt }) => <Time at={seenAt} relative />,
          },
          {
            key: 'preview',
            header: t('callers.request'),
            width: '90px',
            render: (row) => (
              <Anchor component={Link} to={previewLink(row)} size="sm">
                {t('callers.preview')}
              </Anchor>
            ),
          },
        ]}
      />
    </Stack>
  );
}

function previewLink({ caller, plan }: Caller): string {
  const [kind, id] = [caller.slice(0, 2), caller.slice(2)];
  const query = new URLSearchParams(kind === 'u:' ? { user: id } : { address: id });
  if (plan) query.set('plan', plan);
  return `/limits/preview?${query}`;
}
