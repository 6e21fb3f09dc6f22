import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type {
  InboxAction as Action,
  InboxFilter as Filter,
  InboxItem as ItemRecord,
} from '../domains/notifications/index.js';
import { edgeOf, pageOf } from './connections.js';
import { enumOf } from './enums.js';
import { Payload } from './payload.js';
import { Node, PagingArgs } from './relay.js';
import { DateTime, URLScalar } from './scalars.js';

export const InboxFilter = enumOf<Filter>('InboxFilter', 'Which items of an inbox.', {
  ALL: 'What is not archived.',
  UNREAD: 'What is neither archived nor read.',
  ARCHIVED: 'What is archived.',
});
export const InboxAction = enumOf<Action>(
  'InboxAction',
  'How items are marked. Being read and being archived do not affect each other.',
  {
    READ: 'Marks them as read.',
    UNREAD: 'Marks them as not read.',
    ARCHIVE: 'Archives them.',
    UNARCHIVE: 'Takes them out of the archive.',
  },
);

const COUNT_IS_ESTIMATE =
  'Whether `unreadCount` is an estimate: there are more than the 1,000 that are counted one by one. False: it is exact.';

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A notification in the inbox inside the product.',
})
export class InboxItem extends Node {
  @Field(() => ID, {
    description:
      'The raw id, which is also the id of the delivery; of a group of notifications, of the first. Arguments take it as well as the global `id`.',
  })
  itemId: string;
  @Field({ description: 'Which kind of notification it is.' })
  notificationType: string;
  @Field(() => String, { nullable: true, description: 'The title. Null where it has none.' })
  title: string | null;
  @Field({ description: 'The text.' })
  body: string;
  @Field(() => URLScalar, {
    nullable: true,
    description: 'Where a tap leads to. Null where it leads nowhere.',
  })
  actionUrl: string | null;
  @Field(() => URLScalar, { nullable: true, description: 'The picture to show. Null where it has none.' })
  imageUrl: string | null;
  @Field(() => DateTime, {
    description: 'When it came to the inbox; of a group of notifications, when the newest did.',
  })
  createdAt: Date;
  @Field(() => Int, {
    nullable: true,
    description: 'How many people it is about. Null where it is not of a group of notifications.',
  })
  actorCount: number | null;
  @Field(() => DateTime, { nullable: true, description: 'When it was read. Null where it was not.' })
  readAt: Date | null;
  @Field(() => DateTime, { nullable: true, description: 'When it was archived. Null where it was not.' })
  archivedAt: Date | null;
}

@ObjectType({ simpleResolvers: true })
class InboxEdge extends edgeOf(InboxItem) {}

@ObjectType({
  simpleResolvers: true,
  description:
    "A page of the caller's inbox, newest first. There is no `totalCount`: `unreadCount` has the number that clients show.",
})
export class InboxConnection extends pageOf(InboxEdge) {
  @Field(() => Int, { description: 'How many items are neither read nor archived, on all pages together.' })
  unreadCount: number;
  @Field({ description: COUNT_IS_ESTIMATE })
  unreadCountIsEstimate: boolean;
  @Field({ description: 'Pass it to `inboxUpdated` as `after`: no change since this page is missed.' })
  updatesAfter: string;
}

@ArgsType()
export class InboxArgs extends PagingArgs {
  @Field(() => InboxFilter, { defaultValue: InboxFilter.ALL, description: 'Which items.' })
  filter: Filter;
}

@ObjectType({ simpleResolvers: true, description: "A change of the caller's inbox." })
export class InboxUpdate {
  @Field({ description: 'Pass it as `after` to go on after this update.' })
  cursor: string;
  @Field(() => InboxItem, {
    nullable: true,
    description:
      'The item that came, was marked or is about more people, as it is now. Null where many changed at once: read the inbox again.',
  })
  item: ItemRecord | null;
  @Field(() => Int, { description: 'How many items are neither read nor archived.' })
  unreadCount: number;
  @Field({ description: COUNT_IS_ESTIMATE })
  unreadCountIsEstimate: boolean;
}

@InputType()
export class MarkInboxInput {
  @Field(() => InboxAction, { description: 'How they are marked.' })
  action: Action;
  @Field(() => [ID], {
    nullable: true,
    description:
      'At most 1,000 items, each by its raw id or its global id; unknown ones are left out. Absent: every item that the action applies to.',
  })
  itemIds?: string[] | null;
}

@ObjectType({ simpleResolvers: true })
export class MarkInboxPayload extends Payload {
  /** What `items` reads: the items that were named, or what changed since. Null where nothing was marked. */
  marked: { readonly itemIds: readonly string[] | null; readonly since: number } | null;
  @Field(() => Int, { description: 'How many items this call changed.' })
  changed: number;
  @Field(() => Int, { description: 'How many items are neither read nor archived now.' })
  unreadCount: number;
  @Field({ description: COUNT_IS_ESTIMATE })
  unreadCountIsEstimate: boolean;
}
