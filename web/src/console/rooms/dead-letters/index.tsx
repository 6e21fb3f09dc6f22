import { Page } from '../../../shared/ui/page.js';
import { useTexts } from './texts.js';

export default function DeadLettersRoom() {
  const t = useTexts();
  return <Page title={t('title')}>{null}</Page>;
}
