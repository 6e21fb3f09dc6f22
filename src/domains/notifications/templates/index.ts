import { bind } from '../../../platform/bind.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { findVersions, pageOfTemplates } from './find.js';
import { previewTemplate } from './preview.js';
import { sendTestNotification, type TrialDeps } from './trial.js';
import { activateTemplate, deactivateTemplate, type VersionDeps } from './versions.js';

export type { TemplateFilter } from './find.js';
export type { Preview } from './preview.js';

/** What admins do with templates, besides saving them. */
export const createTemplates = (deps: VersionDeps & TrialDeps & { readonly replicas: Queryable }) => ({
  ...bind(deps.replicas, { page: pageOfTemplates }),
  ...bind(deps.postgres, { versions: findVersions }),
  ...bind(deps, {
    activate: activateTemplate,
    deactivate: deactivateTemplate,
    preview: previewTemplate,
    sendTest: sendTestNotification,
  }),
});
