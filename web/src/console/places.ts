import type { SectionName } from './sections.js';

/** Pages within the sections that the palette leads to, by their names in the messages. */
export const places = [
  { name: 'new-campaign', section: 'campaigns', path: '/campaigns/new' },
  { name: 'new-template', section: 'templates', path: '/templates/new' },
  { name: 'callers', section: 'limits', path: '/limits/callers' },
  { name: 'preview', section: 'limits', path: '/limits/preview' },
  { name: 'history', section: 'limits', path: '/limits/history' },
  { name: 'customers', section: 'commerce', path: '/commerce/customers' },
  { name: 'products', section: 'commerce', path: '/commerce/products' },
  { name: 'accounts', section: 'commerce', path: '/commerce/accounts' },
  { name: 'projectors', section: 'events', path: '/events/projectors' },
  { name: 'faults', section: 'sandbox', path: '/sandbox?tab=faults' },
] as const satisfies readonly {
  readonly name: string;
  readonly section: SectionName;
  readonly path: string;
}[];

/** Pages of this server that are not of the console. */
export const elsewhere = [
  { name: 'start', href: '/' },
  { name: 'reader', href: '/app' },
  { name: 'graphiql', href: '/graphiql' },
  { name: 'docs', href: '/docs/README' },
] as const;

/** What a text without spaces may be the id of, and the page of that. */
export const idPages = [
  { name: 'notification', section: 'notifications', of: /./, path: (id: string) => `/notifications/${id}` },
  { name: 'campaign', section: 'campaigns', of: /./, path: (id: string) => `/campaigns/of/${id}` },
  { name: 'order', section: 'commerce', of: /\D/, path: (id: string) => `/commerce/orders/${id}` },
  {
    name: 'correlation',
    section: 'commerce',
    of: /\D/,
    path: (id: string) => `/commerce/correlations/${id}`,
  },
  { name: 'event', section: 'events', of: /^\d+$/, path: (id: string) => `/events/${id}` },
] as const satisfies readonly {
  readonly name: string;
  readonly section: SectionName;
  readonly of: RegExp;
  readonly path: (id: string) => string;
}[];
