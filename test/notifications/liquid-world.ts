import { checkTemplate, type TemplateDraft } from '../../src/domains/notifications/templates/check.js';
import {
  type Rendering,
  renderTemplate,
  type TemplateText,
  type Variables,
} from '../../src/domains/notifications/templates/render.js';

const none = { title: null, subject: null, body: '', htmlBody: null, imageUrl: null, actionUrl: null };

/** A template of these fields, in Liquid. */
export const liquid = (own: Partial<TemplateText>): TemplateText => ({
  ...none,
  variables: {},
  syntax: 'LIQUID',
  ...own,
});

/** The same texts as a plain template. */
export const plain = (own: Partial<TemplateText>): TemplateText => ({ ...liquid(own), syntax: 'PLAIN' });

/** What a body becomes; throws where it is refused. */
export function bodyOf(body: string, given: Variables = {}, own: Partial<TemplateText> = {}): string {
  return contentOf(renderTemplate(liquid({ body, ...own }), given)).body;
}

/** What HTML becomes; throws where it is refused. */
export const htmlOf = (htmlBody: string, given: Variables = {}): string =>
  contentOf(renderTemplate(liquid({ htmlBody }), given)).htmlBody!;

export function contentOf(rendering: Rendering) {
  if (rendering.kind !== 'rendered') throw new Error(JSON.stringify(rendering));
  return rendering.content;
}

/** What is wrong with a template that somebody wants to save. */
export const faultsOf = (own: Partial<TemplateDraft>): string[] =>
  checkTemplate({
    notificationType: 'T',
    channel: 'email',
    language: 'en',
    body: 'b',
    syntax: 'LIQUID',
    activate: false,
    ...own,
  }).map(({ code, message }) => `${code}: ${message}`);

export const unfit = (own: Partial<TemplateText>, given: Variables = {}): Rendering =>
  renderTemplate(liquid(own), given);
