import { useSession } from '../../../common/session.js';
import { Page } from '../../../common/ui/page.js';
import { AdminSend } from './admin-send.js';
import { ProducerSend } from './producer-send.js';
import { useTexts } from './texts.js';

export default function SendSection() {
  const t = useTexts();
  const isAdmin = useSession()?.roles.includes('admin') ?? false;
  return (
    <Page title={t('title')} about={t(isAdmin ? 'about' : 'aboutProducer')}>
      {isAdmin ? <AdminSend /> : <ProducerSend />}
    </Page>
  );
}
