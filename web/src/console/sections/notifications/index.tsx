import { Route, Routes } from 'react-router';
import { useIsAdmin } from '../../../common/session.js';
import { NotFound } from '../../../common/ui/not-found.js';
import { NotificationPage } from './notification.js';
import { RequestsPage } from './requests.js';
import { SearchPage } from './search.js';

export default function NotificationsSection() {
  const isAdmin = useIsAdmin();
  return (
    <Routes>
      <Route index element={isAdmin ? <SearchPage /> : <RequestsPage />} />
      <Route path=":id" element={<NotificationPage />} />
      <Route path="*" element={<NotFound home="/notifications" />} />
    </Routes>
  );
}
