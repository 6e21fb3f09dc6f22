import { Box, Tabs } from '@mantine/core';
import { Ban, Bell, Palette, Smartphone, UserRound, VolumeX } from 'lucide-react';
import { useFilters } from '../../common/ui/filters.js';
import { Screen } from '../shell/screen.js';
import { useReaderTexts } from '../texts.js';
import { AppearanceSection } from './appearance-section.js';
import { DevicesSection } from './devices-section.js';
import { MutedWordsSection } from './muted-words-section.js';
import { NotificationsSection } from './notifications-section.js';
import { PeopleSection } from './people-section.js';
import { ProfileSection } from './profile-section.js';

const SECTIONS = [
  { name: 'notifications', icon: Bell, content: NotificationsSection },
  { name: 'devices', icon: Smartphone, content: DevicesSection },
  { name: 'words', icon: VolumeX, content: MutedWordsSection },
  { name: 'people', icon: Ban, content: PeopleSection },
  { name: 'profile', icon: UserRound, content: ProfileSection },
  { name: 'appearance', icon: Palette, content: AppearanceSection },
] as const;

export default function SettingsPage() {
  const t = useReaderTexts();
  const [{ section }, setFilters] = useFilters({ section: 'notifications' });
  const value = SECTIONS.find(({ name }) => name === section)?.name ?? 'notifications';
  return (
    <Screen title={t('settings.title')}>
      <Tabs
        value={value}
        onChange={(name) => setFilters({ section: name })}
        keepMounted={false}
        variant="pills"
        radius="xl"
      >
        <Tabs.List px="md" py="sm" style={{ borderBottom: '1px solid var(--reader-line)' }}>
          {SECTIONS.map(({ name, icon: Icon }) => (
            <Tabs.Tab key={name} value={name} leftSection={<Icon size={16} aria-hidden />}>
              {t(`settings.${name}.title`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SECTIONS.map(({ name, content: Content }) => (
          <Tabs.Panel key={name} value={name}>
            <Box p="md">
              <Content />
            </Box>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Screen>
  );
}
