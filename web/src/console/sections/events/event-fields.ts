import { graphql } from '../../../common/graphql.js';
import { personPath } from '../../person-link.js';

graphql(/* GraphQL */ `
  fragment LoggedEvent on StoredEvent {
    id
    globalPosition
    streamId
    streamPosition
    eventType
    createdAt
    metadata
  }
`);

/** What metadata say, as far as they are texts. */
export function metadataText(
  event: { readonly metadata: Record<string, unknown> },
  name: 'correlationId' | 'causationId' | 'userId',
): string | undefined {
  const value = event.metadata[name];
  return typeof value === 'string' ? value : undefined;
}

export const correlationLink = (id: string): string => `/commerce/correlations/${encodeURIComponent(id)}`;

/** Streams of these kinds have a page in the commerce section. */
const COMMERCE: Readonly<Record<string, string>> = {
  Order: 'orders',
  Customer: 'customers',
  Product: 'products',
  Account: 'accounts',
  Transfer: 'transfers',
};

/** Where the object is shown that a stream is about. */
export function objectLink(streamId: string): string | undefined {
  const [kind = ''] = streamId.split('-', 1);
  if (kind === 'User' && streamId.length > kind.length + 1)
    return personPath(streamId.slice(kind.length + 1));
  const folder = COMMERCE[kind];
  const id = streamId.slice(kind.length + 1);
  return folder && id ? `/commerce/${folder}/${encodeURIComponent(id)}` : undefined;
}
