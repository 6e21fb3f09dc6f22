import { Route, Routes } from 'react-router';
import { NotFound } from '../../../common/ui/not-found.js';
import { Page } from '../../../common/ui/page.js';
import { SubNav } from '../../../common/ui/sub-nav.js';
import { Log } from './log.js';
import { OneEvent } from './one-event.js';
import { Projectors } from './projectors.js';
import { useTexts } from './texts.js';

export default function EventsSection() {
  const t = useTexts();
  return (
    <Page title={t('title')} about={t('about')}>
      <SubNav
        label={t('title')}
        links={[
          { to: '/events', label: t('log.title'), isIndex: true, also: /^\/events\/\d/ },
          { to: '/events/projectors', label: t('projector.title') },
        ]}
      />
      <Routes>
        <Route index element={<Log />} />
        <Route path="projectors" element={<Projectors />} />
        <Route path=":position" element={<OneEvent />} />
        <Route path="*" element={<NotFound home="/events" />} />
      </Routes>
    </Page>
  );
}
