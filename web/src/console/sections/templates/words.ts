import type { Channel } from '../../../generated/graphql.js';

/** By the global id, which has none of the dots that servers take for the ending of a file's name. */
export const pathOf = (id: string): string => `/templates/of/${encodeURIComponent(id)}`;

const ofChannel: Readonly<Record<Channel, readonly TextField[]>> = {
  PUSH: ['title', 'body', 'subtitle', 'badge', 'color', 'imageUrl', 'actionUrl'],
  EMAIL: ['subject', 'htmlBody', 'body', 'actionUrl'],
  SMS: ['body', 'actionUrl'],
  IN_APP: ['title', 'body', 'imageUrl', 'actionUrl'],
};

export type TextField =
  | 'title'
  | 'subject'
  | 'body'
  | 'htmlBody'
  | 'imageUrl'
  | 'actionUrl'
  | 'subtitle'
  | 'badge'
  | 'color';

/** The texts that a template of a channel may have, in the order of its form. */
export const textsOf = (channel: Channel): readonly TextField[] => ofChannel[channel];
