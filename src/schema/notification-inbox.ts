import { ArgsType, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import {
  type InboxAction as Action,
  type InboxFilter as Filter,
  type InboxItem as ItemRecord,
  inboxActions,
  inboxFilters,
} from '../domains/notifications/index.js';
import { sameNames } from './notification-enums.js';
import { Node, PageInfo, PagingArgs } from './relay.js';
import { DateTime, URLScalar } from './scalars.js';
import { UserError } from './user-error.js';

export const InboxFilter = sameNames(inboxFilters);
export const InboxAction = sameNames(inboxActions);
registerEnumType(InboxFilter, {
  name: 'InboxFilter',
  description: 'ALL: what lies in the inbox; what was archived has left it. UNREAD: of that, the unread.',
});
registerEnumType(InboxAction, { name: 'InboxAction' });

@ObjectType({ implements: Node, simpleResolvers: true })
export class InboxItem extends Node {
  @Field(() => ID)
  itemId: string;
  @Field()
  notificationType: string;
  @Field(() => String, { nullable: true })
  title: string | null;
  @Field()
  body: string;
  @Field(() => URLScalar, { nullable: true })
  actionUrl: string | null;
  @Field(() => URLScalar, { nullable: true })
  imageUrl: string | null;
  @Field(() => DateTime, { description: 'When it came to the inbox.' })
  createdAt: Date;
  @Field(() => DateTime, { nullable: true })
  readAt: Date | null;
  @Field(() => DateTime, { nullable: true })
  archivedAt: Date | null;
}

@ObjectType({ simpleResolvers: true })
export class InboxEdge {
  @Field()
  cursor: string;
  @Field(() => InboxItem)
  node: ItemRecord;
}

@ObjectType({ simpleResolvers: true })
export class InboxConnection {
  @Field(() => [InboxEdge])
  edges: readonly InboxEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
  @Field(() => Int, { description: 'Neither read nor archived.' })
  unreadCount: number;
  @Field({ description: 'Pass it to `inboxUpdated` as `after`: nothing since this page is missed.' })
  updatesAfter: string;
}

@ArgsType()
export class InboxArgs extends PagingArgs {
  @Field(() => InboxFilter, { defaultValue: InboxFilter.ALL })
  filter: Filter;
}

@ObjectType({ simpleResolvers: true })
export class InboxUpdate {
  @Field()
  cursor: string;
  @Field(() => InboxItem, { nullable: true, description: 'Absent where many changed at once: refetch.' })
  item: ItemRecord | null;
  @Field(() => Int)
  unreadCount: number;
}

@InputType()
export class MarkInboxInput {
  @Field(() => InboxAction)
  action: Action;
  @Field(() => [ID], {
    nullable: true,
    description: 'At most 1,000. Absent: every item that the action applies to.',
  })
  itemIds?: string[] | null;
}

@ObjectType({ simpleResolvers: true })
export class MarkInboxPayload {
  @Field(() => Int, { description: 'Items that are other than before.' })
  changed: number;
  @Field(() => Int)
  unreadCount: number;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}
