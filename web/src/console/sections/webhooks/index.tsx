import { Route, Routes } from 'react-router';
import { NotFound } from '../../../common/ui/not-found.js';
import { WebhookList } from './list.js';
import { WebhookPage } from './webhook.js';

export default function WebhooksSection() {
  return (
    <Routes>
      <Route index element={<WebhookList />} />
      <Route path=":webhookId" element={<WebhookPage />} />
      <Route path="*" element={<NotFound home="/webhooks" />} />
    </Routes>
  );
}
