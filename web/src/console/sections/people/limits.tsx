import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { useFilters } from '../../../common/ui/filters.js';
import { useNumbers } from '../../../common/ui/numbers.js';
import { Loaded } from '../../../common/ui/states.js';
import '../limits/documents.js';
import { OutcomeStatus } from '../limits/dry-run.js';
import { Tiers } from '../limits/tiers.js';
import { useTexts } from './texts.js';

const limitsDocument = graphql(/* GraphQL */ `
  query PersonLimits($descriptors: [RateLimitDescriptorInput!]!) {
    rateLimitPreview(descriptors: $descriptors) {
      ...LimitsDecision
    }
  }
`);

/** What would be decided about a request of theirs now, with every limit that counts it. Nothing is charged. */
export function Limits({ userId }: { readonly userId: string }) {
  const t = useTexts();
  const [{ plan, endpoints }, set] = useFilters({ plan: '', endpoints: '' });
  const form = useForm({ initialValues: { plan, endpoints: endpoints ? endpoints.split('\n') : [] } });
  const descriptors = [
    { key: 'user_id', value: userId },
    ...(plan ? [{ key: 'plan', value: plan }] : []),
    ...endpoints
      .split('\n')
      .filter(Boolean)
      .map((value) => ({ key: 'endpoint', value })),
    { key: 'global' },
  ];
  const query = useQuery(limitsDocument, { variables: { descriptors }, pollInterval: 5_000 });
  const full = new URLSearchParams({ user: userId, ...(plan && { plan }), ...(endpoints && { endpoints }) });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('limits.about')}
      </Text>
      <form
        onSubmit={form.onSubmit((values) =>
          set({ plan: values.plan.trim(), endpoints: values.endpoints.join('\n') }),
        )}
      >
        <Group align="flex-end" gap="sm">
          <TextInput label={t('limits.plan')} placeholder="pro" {...form.getInputProps('plan')} />
          <TagsInput
            label={t('limits.endpoints')}
            placeholder={form.values.endpoints.length === 0 ? 'Mutation.publishPost' : ''}
            splitChars={[',', '\n']}
            flex="1 1 16rem"
            maw={420}
            {...form.getInputProps('endpoints')}
          />
          <Button type="submit">{t('limits.show')}</Button>
        </Group>
      </form>
      <Loaded query={query}>
        {({ rateLimitPreview: decision }) =>
          decision ? (
            <Stack gap="sm">
              <Decided decision={decision} />
              <Tiers tiers={decision.tiers} violated={decision.violated} />
            </Stack>
          ) : (
            <Text>{t('limits.noRule')}</Text>
          )
        }
      </Loaded>
      <Group justify="space-between">
        <CopyAs document={limitsDocument} variables={{ descriptors }} />
        <Anchor component={Link} to={`/limits/preview?${full}`} size="sm">
          {t('limits.toPreview')}
        </Anchor>
      </Group>
    </Stack>
  );
}

interface DecidedProps {
  readonly decision: {
    readonly outcome: 'ALLOW' | 'DEGRADE' | 'REJECT';
    readonly remaining: number;
    readonly retryAfter: number | null;
    readonly violated: string | null;
    readonly tiers: readonly unknown[];
  };
}

function Decided({ decision: { outcome, remaining, retryAfter, violated, tiers } }: DecidedProps) {
  const t = useTexts();
  const { number } = useNumbers();
  return (
    <Group gap="sm">
      <OutcomeStatus outcome={outcome} />
      <Text size="sm">
        {violated
          ? t('limits.refused', { rule: violated, seconds: retryAfter ?? '–' })
          : tiers.length > 0
            ? t('limits.remaining', { remaining: number(remaining) })
            : t('limits.uncounted')}
      </Text>
    </Group>
  );
}
