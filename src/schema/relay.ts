import { ArgsType, Field, ID, Int, InterfaceType, ObjectType } from 'type-graphql';
import type { PagingArguments } from '../platform/paging.js';

/** Relay's Global Object Identification: `id` is opaque, and `node` takes it. */
@InterfaceType({
  description: 'An object that `node` finds by its global id, for callers who may see it elsewhere.',
})
export abstract class Node {
  @Field(() => ID, {
    simple: true,
    description:
      'The global id: unique among all objects of the API, so a cache may keep the object under it. Opaque.',
  })
  id: string;
}

@ObjectType({ simpleResolvers: true, description: 'Where a page lies in its list.' })
export class PageInfo {
  @Field({ description: 'Whether items follow this page.' })
  hasNextPage: boolean;
  @Field({ description: 'Whether items precede this page.' })
  hasPreviousPage: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the first item: pass it as `before`. Null on an empty page.',
  })
  startCursor: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last item: pass it as `after`. Null on an empty page.',
  })
  endCursor: string | null;
}

/** `first`/`after` or `last`/`before`, 1 to 100; neither means the first 20. */
@ArgsType()
export class PagingArgs implements PagingArguments {
  @Field(() => Int, {
    nullable: true,
    description:
      'How many items from the start, or following `after`: 1 to 100. Without `first` and `last`: 20. Not together with `last` or `before`.',
  })
  first?: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'A cursor of this list: only what follows it. Another cursor is refused with BAD_CURSOR.',
  })
  after?: string | null;
  @Field(() => Int, {
    nullable: true,
    description:
      'How many items from the end, or preceding `before`: 1 to 100. Not together with `first` or `after`.',
  })
  last?: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'A cursor of this list: only what precedes it. Another cursor is refused with BAD_CURSOR.',
  })
  before?: string | null;
}

/** The global id of an object: its type and raw id. */
export function toGlobalId(type: string, rawId: string): string {
  return Buffer.from(`${type}:${rawId}`).toString('base64url');
}

/** Reads a global id; `null` where it is none. */
export function fromGlobalId(id: string): { readonly type: string; readonly rawId: string } | null {
  const text = Buffer.from(id, 'base64url').toString();
  const colon = text.indexOf(':');
  return colon > 0 ? { type: text.slice(0, colon), rawId: text.slice(colon + 1) } : null;
}
