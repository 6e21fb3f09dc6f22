import { Tabs } from '@mantine/core';
import { Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { useFilters } from '../../../common/ui/filters.js';
import { NotFound } from '../../../common/ui/not-found.js';
import { Page } from '../../../common/ui/page.js';
import { Empty, Loading } from '../../../common/ui/states.js';
import { useWebConfig } from '../../../common/web-config.js';
import { Faults } from './faults.js';
import { MessagePage } from './message-page.js';
import { Messages } from './messages.js';
import { useTexts } from './texts.js';

export default function SandboxSection() {
  return (
    <Suspense fallback={<Loading />}>
      <Sections />
    </Suspense>
  );
}

function Sections() {
  const t = useTexts();
  const { sandboxUrl } = useWebConfig();
  if (sandboxUrl === null)
    return (
      <Page title={t('title')}>
        <Empty title={t('none')}>{t('noneHelp')}</Empty>
      </Page>
    );
  return (
    <Routes>
      <Route index element={<Overview url={sandboxUrl} />} />
      <Route path="messages/:id" element={<MessagePage url={sandboxUrl} />} />
      <Route path="*" element={<NotFound home="/sandbox" />} />
    </Routes>
  );
}

function Overview({ url }: { readonly url: string }) {
  const t = useTexts();
  const [{ tab }, set] = useFilters({ tab: 'messages' });
  return (
    <Page title={t('title')} about={t('about')}>
      <Tabs value={tab} onChange={(next) => set({ tab: next })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="messages">{t('messages.tab')}</Tabs.Tab>
          <Tabs.Tab value="faults">{t('faults.tab')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="messages">
          <Messages url={url} />
        </Tabs.Panel>
        <Tabs.Panel value="faults">
          <Faults url={url} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
