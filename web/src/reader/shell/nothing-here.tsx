import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useCommonTexts } from '../../common/i18n.js';
import { Empty } from '../../common/ui/states.js';
import { Screen } from './screen.js';

export default function NothingHere() {
  const t = useCommonTexts();
  return (
    <Screen title={t('state.notFound')}>
      <Empty title={t('state.notFoundHelp')}>
        <Anchor component={Link} to="/">
          {t('state.home')}
        </Anchor>
      </Empty>
    </Screen>
  );
}
