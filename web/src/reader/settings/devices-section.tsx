import { useQuery } from '@apollo/client/react';
import { Alert, Badge, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { Globe, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { endPushes } from '../../common/own-pushes.js';
import { useAct } from '../../common/ui/act.js';
import { ConfirmDialog } from '../../common/ui/confirm-dialog.js';
import { Empty, Loaded } from '../../common/ui/states.js';
import { Time } from '../../common/ui/time.js';
import type { ReaderDevicesQuery } from '../../generated/graphql.js';
import { useReaderTexts } from '../texts.js';
import { isPushPossible, ownDeviceId, PushFault, subscribeToPush } from './push.js';
import { Devices, RegisterDevice, UnregisterDevice } from './queries.js';
import { Section } from './section.js';

type Device = NonNullable<ReaderDevicesQuery['devices']>[number];

export function DevicesSection() {
  const t = useReaderTexts();
  const query = useQuery(Devices);
  return (
    <Loaded query={query}>
      {(data) => {
        const devices = (data as ReaderDevicesQuery).devices ?? [];
        return (
          <>
            <Section title={t('settings.push.title')} about={t('settings.push.about')}>
              <PushSwitch isOn={devices.some(({ deviceId }) => deviceId === ownDeviceId())} />
            </Section>
            <Section title={t('settings.devices.heading')} about={t('settings.devices.about')}>
              {devices.length === 0 ? (
                <Empty title={t('settings.devices.empty')} />
              ) : (
                <DeviceList devices={devices} />
              )}
            </Section>
          </>
        );
      }}
    </Loaded>
  );
}

/** Web Push to this browser. */
function PushSwitch({ isOn }: { readonly isOn: boolean }) {
  const t = useReaderTexts();
  const [fault, setFault] = useState<PushFault['reason']>();
  const [isBusy, setBusy] = useState(false);
  const register = useAct(RegisterDevice, { done: t('settings.push.on'), refetch: ['ReaderDevices'] });
  const unregister = useAct(UnregisterDevice, { done: t('settings.push.off'), refetch: ['ReaderDevices'] });

  async function change(wanted: boolean): Promise<void> {
    setBusy(true);
    setFault(undefined);
    try {
      const deviceId = ownDeviceId();
      if (wanted) await register.act({ deviceId, deviceToken: await subscribeToPush() });
      else {
        await endPushes();
        await unregister.act({ deviceId });
      }
    } catch (error) {
      setFault(error instanceof PushFault ? error.reason : 'failed');
    } finally {
      setBusy(false);
    }
  }

  return (
    <Stack gap="xs">
      <Switch
        size="md"
        label={t('settings.push.label')}
        checked={isOn}
        disabled={isBusy || !isPushPossible()}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {!isPushPossible() && <Text size="sm">{t('settings.push.impossible')}</Text>}
      {fault && (
        <Alert color="red" role="alert">
          {t(`settings.push.fault.${fault}`)}
        </Alert>
      )}
    </Stack>
  );
}

function DeviceList({ devices }: { readonly devices: readonly Device[] }) {
  const t = useReaderTexts();
  const [leaving, setLeaving] = useState<Device>();
  const { act } = useAct(UnregisterDevice, {
    done: t('settings.devices.removed'),
    refetch: ['ReaderDevices'],
  });
  return (
    <Stack gap="sm">
      {devices.map((device) => (
        <Group key={device.id} justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            {device.platform === 'WEB' ? (
              <Globe size={22} aria-hidden style={{ flex: 'none' }} />
            ) : (
              <Smartphone size={22} aria-hidden style={{ flex: 'none' }} />
            )}
            <div style={{ minWidth: 0 }}>
              <Group gap="xs">
                <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {t(`platform.${device.platform}`)}
                </Text>
                {device.deviceId === ownDeviceId() && (
                  <Badge variant="light" tt="none" radius="sm">
                    {t('settings.devices.this')}
                  </Badge>
                )}
                {!device.isActive && (
                  <Badge variant="light" color="gray" tt="none" radius="sm" c="dimmed">
                    {t('settings.devices.inactive')}
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {[device.deviceId, device.appVersion].filter(Boolean).join(' · ')}
                {device.lastSeenAt && (
                  <>
                    {' · '}
                    <Time at={device.lastSeenAt} relative />
                  </>
                )}
              </Text>
            </div>
          </Group>
          <Button
            size="xs"
            variant="default"
            radius="xl"
            style={{ flex: 'none' }}
            onClick={() => setLeaving(device)}
          >
            {t('settings.devices.remove')}
          </Button>
        </Group>
      ))}
      {leaving && (
        <ConfirmDialog
          title={t('settings.devices.removeTitle')}
          text={t('settings.devices.removeHelp')}
          confirm={t('settings.devices.remove')}
          isDangerous
          onClose={() => setLeaving(undefined)}
          onConfirm={() => {
            setLeaving(undefined);
            if (leaving.deviceId === ownDeviceId()) void endPushes().catch(() => undefined);
            void act({ deviceId: leaving.deviceId });
          }}
        />
      )}
      <Text size="xs" c="dimmed">
        {t('settings.devices.note')}
      </Text>
    </Stack>
  );
}
