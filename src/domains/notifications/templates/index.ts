import type { Caller } from '../../../platform/caller.js';
import type { Result } from '../../../platform/errors.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Acceptance } from '../intake/request.js';
import type { RenderedContent } from '../providers/provider.js';
import { findVersions, pageOfTemplates, type TemplateFilter, type VersionKey } from './find.js';
import { type Preview, previewTemplate } from './preview.js';
import type { Template } from './template.js';
import { sendTestNotification, type Trial, type TrialDeps } from './trial.js';
import { activateTemplate, deactivateTemplate, type VersionDeps } from './versions.js';

export type { TemplateFilter, VersionKey } from './find.js';
export type { Preview } from './preview.js';
export type { Trial } from './trial.js';

/** What admins do with templates, besides saving them. */
export interface Templates {
  page(filter: TemplateFilter, page: PageRequest): Promise<Connection<Template>>;
  /** See `findVersions`. */
  versions(keys: readonly VersionKey[]): Promise<readonly (readonly Template[])[]>;
  /** See `activateTemplate`. */
  activate(templateId: string): Promise<Result<Template>>;
  /** See `deactivateTemplate`. */
  deactivate(templateId: string): Promise<Result<Template>>;
  /** See `previewTemplate`. */
  preview(preview: Preview): Promise<Result<RenderedContent>>;
  /** See `sendTestNotification`. */
  sendTest(caller: Caller, trial: Trial): Promise<Result<Acceptance>>;
}

export function createTemplates(deps: VersionDeps & TrialDeps): Templates {
  return {
    page: (filter, page) => pageOfTemplates(deps.postgres, filter, page),
    versions: (keys) => findVersions(deps.postgres, keys),
    activate: (templateId) => activateTemplate(deps, templateId),
    deactivate: (templateId) => deactivateTemplate(deps, templateId),
    preview: (preview) => previewTemplate(deps, preview),
    sendTest: (caller, trial) => sendTestNotification(deps, caller, trial),
  };
}
