// Generated from active-templates.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly typeOf: Statement<{
    readonly type: string;
  }>;
  readonly activeOfType: Statement<{
    readonly templateId: string;
    readonly channel: import('../channels.js').Channel;
    readonly language: string;
    readonly version: number;
    readonly title: string | null;
    readonly subject: string | null;
    readonly body: string;
    readonly htmlBody: string | null;
    readonly imageUrl: string | null;
    readonly actionUrl: string | null;
    readonly variables: import('./render.js').VariableSchema;
    readonly pushOptions: import('./push-options.js').PushOptions;
    readonly syntax: import('./render.js').TemplateSyntax;
  }>;
  readonly exactly: Statement<{
    readonly notificationType: string;
    readonly templateId: string;
    readonly channel: import('../channels.js').Channel;
    readonly language: string;
    readonly version: number;
    readonly title: string | null;
    readonly subject: string | null;
    readonly body: string;
    readonly htmlBody: string | null;
    readonly imageUrl: string | null;
    readonly actionUrl: string | null;
    readonly variables: import('./render.js').VariableSchema;
    readonly pushOptions: import('./push-options.js').PushOptions;
    readonly syntax: import('./render.js').TemplateSyntax;
  }>;
  readonly partials: Statement<{
    readonly type: string;
    readonly channel: import('../channels.js').Channel;
    readonly language: string;
    readonly body: string;
    readonly htmlBody: string | null;
  }>;
}>(new URL('./active-templates.sql', import.meta.url));
