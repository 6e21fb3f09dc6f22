import { Route, Routes } from 'react-router';
import { NotFound } from '../../../common/ui/not-found.js';
import { Page } from '../../../common/ui/page.js';
import { SubNav } from '../../../common/ui/sub-nav.js';
import { Callers } from './callers.js';
import { History } from './history.js';
import { Preview } from './preview.js';
import { Rules } from './rules.js';
import { useTexts } from './texts.js';

export default function LimitsSection() {
  const t = useTexts();
  return (
    <Page title={t('title')} about={t('about')}>
      <SubNav
        label={t('title')}
        links={[
          { to: '/limits', label: t('rules.title'), isIndex: true },
          { to: '/limits/callers', label: t('callers.title') },
          { to: '/limits/preview', label: t('preview.title') },
          { to: '/limits/history', label: t('history.title') },
        ]}
      />
      <Routes>
        <Route index element={<Rules />} />
        <Route path="callers" element={<Callers />} />
        <Route path="preview" element={<Preview />} />
        <Route path="history" element={<History />} />
        <Route path="*" element={<NotFound home="/limits" />} />
      </Routes>
    </Page>
  );
}
