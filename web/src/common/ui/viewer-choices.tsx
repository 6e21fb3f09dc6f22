import { Menu, SegmentedControl, Stack, Switch, useMantineColorScheme } from '@mantine/core';
import { LogOut } from 'lucide-react';
import { languages, setLanguage, useCommonTexts, useLanguage } from '../i18n.js';
import { signOut, useSession } from '../session.js';
import { useShortcutSetting } from '../shortcut-setting.js';
import { useOpened } from './opens-later.js';
import { ViewerButton } from './viewer-menu.js';

/** The color scheme, the language, and the way out. */
export default function ViewerChoices() {
  const t = useCommonTexts();
  const session = useSession();
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [hasShortcuts, setShortcuts] = useShortcutSetting();
  const { opened, onChange, target } = useOpened();
  return (
    <Menu position="bottom-end" width={270} closeOnItemClick={false} opened={opened} onChange={onChange}>
      <Menu.Target>
        <ViewerButton ref={target} />
      </Menu.Target>
      <Menu.Dropdown>
        <Stack gap="xs" p="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('theme.label')}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
            data={(['light', 'dark', 'auto'] as const).map((value) => ({
              value,
              label: t(`theme.${value}`),
            }))}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('language.label')}
            value={language}
            onChange={(value) => setLanguage(value as typeof language)}
            data={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
          />
          <Switch
            size="xs"
            label={t('shortcuts')}
            checked={hasShortcuts}
            onChange={(event) => setShortcuts(event.currentTarget.checked)}
          />
        </Stack>
        {session && (
          <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={signOut}>
            {t('signIn.out')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
