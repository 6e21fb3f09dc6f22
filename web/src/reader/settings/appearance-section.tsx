import { SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import { languages, setLanguage, useCommonTexts, useLanguage } from '../../common/i18n.js';
import { useShortcutSetting } from '../../common/shortcut-setting.js';
import { useReaderTexts } from '../texts.js';
import { Section } from './section.js';

export function AppearanceSection() {
  const t = useReaderTexts();
  const c = useCommonTexts();
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [hasShortcuts, setShortcuts] = useShortcutSetting();
  return (
    <>
      <Section title={t('settings.appearance.theme')}>
        <SegmentedControl
          aria-label={t('settings.appearance.theme')}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
          data={(['light', 'dark', 'auto'] as const).map((value) => ({ value, label: c(`theme.${value}`) }))}
        />
      </Section>
      <Section title={c('language.label')}>
        <SegmentedControl
          aria-label={c('language.label')}
          value={language}
          onChange={(value) => setLanguage(value as typeof language)}
          data={languages.map((value) => ({ value, label: c(`language.${value}`) }))}
        />
      </Section>
      <Section title={t('aside.keys')} about={t('settings.appearance.keysAbout')}>
        <Switch
          label={c('shortcuts')}
          checked={hasShortcuts}
          onChange={(event) => setShortcuts(event.currentTarget.checked)}
        />
      </Section>
    </>
  );
}
