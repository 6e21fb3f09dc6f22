import { useQuery } from '@apollo/client/react';
import { Loaded } from '../../common/ui/states.js';
import type { ReaderPreferencesQuery } from '../../generated/graphql.js';
import { useReaderTexts } from '../texts.js';
import { PreferenceMatrix } from './preference-matrix.js';
import { Preferences } from './queries.js';
import { Section } from './section.js';
import { TimingForm } from './timing-form.js';

export function NotificationsSection() {
  const t = useReaderTexts();
  const query = useQuery(Preferences);
  return (
    <Loaded query={query}>
      {(data) => {
        const found = (data as ReaderPreferencesQuery).notificationPreferences;
        if (!found) return null;
        return (
          <>
            <Section title={t('settings.matrix.title')} about={t('settings.matrix.about')}>
              <PreferenceMatrix id={found.id} preferences={found.preferences} />
            </Section>
            <Section title={t('settings.timing.title')} about={t('settings.timing.about')}>
              <TimingForm key={found.id} settings={found.settings} />
            </Section>
          </>
        );
      }}
    </Loaded>
  );
}
