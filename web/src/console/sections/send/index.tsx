import { Page } from '../../../common/ui/page.js';
import { TemplateSend } from './template-send.js';
import { useTexts } from './texts.js';

export default function SendSection() {
  const t = useTexts();
  return (
    <Page title={t('title')} about={t('about')}>
      <TemplateSend />
    </Page>
  );
}
