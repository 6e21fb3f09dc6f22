import { useQuery } from '@apollo/client/react';
import {
  Button,
  Group,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { graphql } from '../../../common/graphql.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { useFilters } from '../../../common/ui/filters.js';
import { useNumbers } from '../../../common/ui/numbers.js';
import { Empty, Failure, Loading } from '../../../common/ui/states.js';
import type { LimitsPreviewQuery } from '../../../generated/graphql.js';
import { OutcomeStatus } from './dry-run.js';
import { useTexts } from './texts.js';
import { Tiers } from './tiers.js';

const previewDocument = graphql(/* GraphQL */ `
  query LimitsPreview($descriptors: [RateLimitDescriptorInput!]!) {
    rateLimitPreview(descriptors: $descriptors) {
      ...LimitsDecision
    }
  }
`);

/** The names in the URL, and the keys that rules have for them. */
const KEYS = {
  user: 'user_id',
  plan: 'plan',
  address: 'remote_address',
  apiKey: 'api_key',
  cost: 'query_cost',
} as const;
const NAMES = Object.keys(KEYS) as (keyof typeof KEYS)[];
const NOTHING = { user: '', plan: '', address: '', apiKey: '', cost: '', endpoints: '', global: '' };

/** What would be decided about a request that is described by a form. */
export function Preview() {
  const t = useTexts();
  const [values, set] = useFilters(NOTHING);
  const form = useForm({
    initialValues: { ...values, endpoints: values.endpoints ? values.endpoints.split('\n') : [] },
  });
  const descriptors = descriptorsOf(values);
  const query = useQuery(previewDocument, {
    variables: { descriptors },
    skip: descriptors.length === 0,
    pollInterval: 5_000,
  });
  return (
    <Stack>
      <form
        onSubmit={form.onSubmit((entered) => set({ ...entered, endpoints: entered.endpoints.join('\n') }))}
      >
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          <TextInput label={t('preview.user')} placeholder="alice" {...form.getInputProps('user')} />
          <TextInput label={t('preview.plan')} placeholder="pro" {...form.getInputProps('plan')} />
          <TextInput
            label={t('preview.address')}
            placeholder="203.0.113.7"
            {...form.getInputProps('address')}
          />
          <TextInput label={t('preview.apiKey')} {...form.getInputProps('apiKey')} />
          <NumberInput
            label={t('preview.cost')}
            min={0}
            {...form.getInputProps('cost')}
            onChange={(cost) => form.setFieldValue('cost', String(cost))}
          />
          <TagsInput
            label={t('preview.endpoints')}
            placeholder="Mutation.placeOrder"
            splitChars={[',', '\n']}
            {...form.getInputProps('endpoints')}
          />
        </SimpleGrid>
        <Group justify="space-between" mt="md">
          <Switch
            label={t('preview.global')}
            checked={form.values.global === 'true'}
            onChange={(event) => form.setFieldValue('global', event.currentTarget.checked ? 'true' : '')}
          />
          <Button type="submit">{t('preview.show')}</Button>
        </Group>
      </form>
      {descriptors.length === 0 ? (
        <Empty title={t('preview.empty')}>{t('preview.emptyHelp')}</Empty>
      ) : (
        <Result query={query} />
      )}
      {descriptors.length > 0 && <CopyAs document={previewDocument} variables={{ descriptors }} />}
    </Stack>
  );
}

function descriptorsOf(values: Readonly<Record<keyof typeof NOTHING, string>>) {
  return [
    ...NAMES.filter((name) => values[name]).map((name) => ({ key: KEYS[name], value: values[name] })),
    ...values.endpoints
      .split('\n')
      .filter(Boolean)
      .map((value) => ({ key: 'endpoint', value })),
    ...(values.global ? [{ key: 'global' }] : []),
  ];
}

interface PreviewQuery {
  readonly data?: LimitsPreviewQuery | undefined;
  readonly error?: unknown;
  readonly refetch: () => unknown;
}

function Result({ query }: { readonly query: PreviewQuery }) {
  const t = useTexts();
  const { number } = useNumbers();
  const { data, error, refetch } = query;
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  const decision = data.rateLimitPreview;
  if (!decision) return <Text>{t('preview.noRule')}</Text>;
  return (
    <Stack gap="sm">
      <Group gap="sm" role="status">
        <OutcomeStatus outcome={decision.outcome} />
        <Text size="sm">
          {decision.violated
            ? t('preview.refused', { rule: decision.violated, seconds: decision.retryAfter ?? '–' })
            : decision.tiers.length > 0
              ? t('preview.remaining', { remaining: number(decision.remaining) })
              : t('preview.uncounted')}
        </Text>
      </Group>
      {decision.guards.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('preview.guards', { rules: decision.guards.join(', ') })}
        </Text>
      )}
      <Tiers tiers={decision.tiers} violated={decision.violated} />
    </Stack>
  );
}
