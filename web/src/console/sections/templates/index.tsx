import { Route, Routes } from 'react-router';
import { NotFound } from '../../../common/ui/not-found.js';
import { TemplateList } from './list.js';
import { NewTemplate } from './new-template.js';
import { TemplatePage } from './template-page.js';

export default function TemplatesSection() {
  return (
    <Routes>
      <Route index element={<TemplateList />} />
      <Route path="new" element={<NewTemplate />} />
      <Route path="of/:templateId" element={<TemplatePage />} />
      <Route path="*" element={<NotFound home="/templates" />} />
    </Routes>
  );
}
