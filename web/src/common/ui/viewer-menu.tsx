import { Button, Menu, SegmentedControl, Stack, useMantineColorScheme } from '@mantine/core';
import { LogOut, UserRound } from 'lucide-react';
import { languages, setLanguage, useCommonTexts, useLanguage } from '../i18n.js';
import { signOut, useSession } from '../session.js';

/** Who is signed in, the color scheme and the language. */
export function ViewerMenu() {
  const t = useCommonTexts();
  const session = useSession();
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = session?.userId || t('settings');
  return (
    <Menu position="bottom-end" width={240} closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<UserRound size={14} aria-hidden />} maw={160}>
          {name}
        </Button>
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
