import { Route, Routes } from 'react-router';
import { NotFound } from '../../../common/ui/not-found.js';
import { CampaignPage } from './campaign-page.js';
import { CampaignList } from './list.js';
import { NewCampaign } from './new/index.js';

export default function CampaignsSection() {
  return (
    <Routes>
      <Route index element={<CampaignList />} />
      <Route path="new" element={<NewCampaign />} />
      <Route path="of/:batchId" element={<CampaignPage />} />
      <Route path="*" element={<NotFound home="/campaigns" />} />
    </Routes>
  );
}
