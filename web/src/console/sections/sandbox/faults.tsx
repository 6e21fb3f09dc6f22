import {
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useFilters } from '../../../common/ui/filters.js';
import { Empty, Loaded } from '../../../common/ui/states.js';
import { useChannelName } from '../../channels.js';
import { type Fault, useSandbox, useSandboxAct } from './sandbox.js';
import { useTexts } from './texts.js';

/** Which stand-ins there are, by channel; "" is all of a channel. */
const PROVIDERS = {
  push: ['', 'apns', 'fcm', 'web-push'],
  email: ['', 'sendgrid'],
  sms: ['', 'twilio'],
} as const;
type Channel = keyof typeof PROVIDERS;
const NAMES = { push: 'PUSH', email: 'EMAIL', sms: 'SMS' } as const;

/** What a provider can be made to do. Those with channels are known to these alone. */
const FAULTS: readonly {
  readonly name:
    | 'down'
    | 'error'
    | 'busy'
    | 'rejected'
    | 'slow'
    | 'hang'
    | 'drop'
    | 'gone'
    | 'goaway'
    | 'bounce'
    | 'undelivered'
    | 'spam'
    | 'silent';
  readonly fault: Omit<Fault, 'channel'>;
  readonly channels?: readonly Channel[];
}[] = [
  { name: 'down', fault: { status: 503 } },
  { name: 'error', fault: { status: 500 } },
  { name: 'busy', fault: { status: 429, retryAfter: 30 } },
  { name: 'rejected', fault: { status: 400 } },
  { name: 'slow', fault: { latencyMs: 5_000 } },
  { name: 'hang', fault: { hang: true } },
  { name: 'drop', fault: { drop: true } },
  { name: 'gone', fault: { status: 410 }, channels: ['push'] },
  { name: 'goaway', fault: { goaway: true }, channels: ['push'] },
  { name: 'bounce', fault: { outcome: 'bounce' }, channels: ['email'] },
  { name: 'spam', fault: { outcome: 'spamreport' }, channels: ['email'] },
  { name: 'undelivered', fault: { outcome: 'undelivered' }, channels: ['sms'] },
  { name: 'silent', fault: { outcome: 'none' }, channels: ['email', 'sms'] },
];

/** Buttons that make the stand-ins misbehave, and one that makes them behave again. */
export function Faults({ url }: { readonly url: string }) {
  const t = useTexts();
  const query = useSandbox<readonly Fault[]>(`${url}/behaviour`);
  const { act, isRunning } = useSandboxAct();
  return (
    <Stack gap="lg">
      <Paper withBorder p="md" component="section" aria-label={t('faults.active')}>
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={2}>{t('faults.active')}</Title>
            <Button
              variant="default"
              loading={isRunning}
              disabled={!query.data?.length}
              onClick={async () => {
                await act('DELETE', `${url}/behaviour`, undefined, t('faults.cleared'));
                await query.refetch();
              }}
            >
              {t('faults.clear')}
            </Button>
          </Group>
          <Loaded query={query}>
            {(faults) =>
              faults.length === 0 ? (
                <Empty title={t('faults.none')} />
              ) : (
                faults.map((fault) => (
                  <Text
                    size="sm"
                    key={`${fault.channel} ${fault.provider}`}
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {written(fault)}
                  </Text>
                ))
              )
            }
          </Loaded>
        </Stack>
      </Paper>
      <Choice
        isRunning={isRunning}
        set={async (fault) => {
          await act('PUT', `${url}/behaviour`, fault, t('faults.set'));
          await query.refetch();
        }}
      />
    </Stack>
  );
}

interface ChoiceProps {
  readonly isRunning: boolean;
  readonly set: (fault: Fault) => Promise<void>;
}

function Choice({ isRunning, set }: ChoiceProps) {
  const t = useTexts();
  const channelName = useChannelName();
  const [chosen, choose] = useFilters({ channel: 'push', provider: '', percent: '100', times: '' });
  const channel = chosen.channel in PROVIDERS ? (chosen.channel as Channel) : 'push';
  const percent = Math.min(Math.max(Number(chosen.percent) || 100, 1), 100);
  const target = {
    channel,
    ...(chosen.provider && { provider: chosen.provider }),
    ...(percent < 100 && { rate: percent / 100 }),
    ...(chosen.times && { times: Number(chosen.times) }),
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={t('faults.make')}>
      <Stack>
        <Title order={2}>{t('faults.make')}</Title>
        <Group align="flex-end" gap="sm">
          <NativeSelect
            label={t('messages.channel')}
            data={(Object.keys(PROVIDERS) as Channel[]).map((value) => ({
              value,
              label: channelName(NAMES[value]),
            }))}
            value={channel}
            onChange={(event) => choose({ channel: event.currentTarget.value, provider: '' })}
          />
          <NativeSelect
            label={t('faults.provider')}
            data={PROVIDERS[channel].map((value) => ({ value, label: value || t('faults.all') }))}
            value={chosen.provider}
            onChange={(event) => choose({ provider: event.currentTarget.value })}
          />
          <NumberInput
            label={t('faults.percent')}
            w={130}
            min={1}
            max={100}
            suffix=" %"
            value={percent}
            onChange={(value) => choose({ percent: String(value) })}
          />
          <NumberInput
            label={t('faults.times')}
            placeholder={t('faults.always')}
            w={160}
            min={1}
            allowDecimal={false}
            value={chosen.times}
            onChange={(value) => choose({ times: String(value) })}
          />
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} spacing="sm">
          {FAULTS.filter(({ channels }) => !channels || channels.includes(channel)).map(({ name, fault }) => (
            <Button
              key={name}
              variant="default"
              h="auto"
              py="xs"
              disabled={isRunning}
              styles={{
                inner: { justifyContent: 'flex-start' },
                label: { whiteSpace: 'normal', textAlign: 'left' },
              }}
              onClick={() => set({ ...target, ...fault })}
            >
              {t(`fault.${name}`)}
            </Button>
          ))}
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}

function written({ channel, provider, ...rest }: Fault): string {
  const parts = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`);
  return `${channel}${provider ? ` / ${provider}` : ''}: ${parts.join(', ')}`;
}
