import { bind } from '../../../platform/bind.js';
import { findVersions, pageOfTemplates } from './find.js';
import { previewTemplate } from './preview.js';
import { sendTestNotification, type TrialDeps } from './trial.js';
import { activateTemplate, deactivateTemplate, type VersionDeps } from './versions.js';

export type { TemplateFilter } from './find.js';
export type { Preview } from './preview.js';

/** What admins do with templates, besides saving them. */
export const createTemplates = (deps: VersionDeps & TrialDeps) => ({
  ...bind(deps.postgres, { page: pageOfTemplates, versions: findVersions }),
  ...bind(deps, {
    activate: activateTemplate,
    deactivate: deactivateTemplate,
    preview: previewTemplate,
    sendTest: sendTestNotification,
  }),
});
