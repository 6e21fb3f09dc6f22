import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useCommonTexts } from '../i18n.js';
import { Page } from './page.js';
import { Empty } from './states.js';

export function NotFound({ home }: { readonly home: string }) {
  const t = useCommonTexts();
  return (
    <Page title={t('state.notFound')}>
      <Empty title={t('state.notFoundHelp')}>
        <Anchor component={Link} to={home}>
          {t('state.home')}
        </Anchor>
      </Empty>
    </Page>
  );
}
