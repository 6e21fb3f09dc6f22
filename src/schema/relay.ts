import { ArgsType, Field, ID, Int, InterfaceType, ObjectType } from 'type-graphql';
import type { PagingArguments } from '../platform/paging.js';

/** Relay's Global Object Identification: `id` is opaque, and `node` takes it. */
@InterfaceType()
export abstract class Node {
  @Field(() => ID, { simple: true })
  id: string;
}

@ObjectType({ simpleResolvers: true })
export class PageInfo {
  @Field()
  hasNextPage: boolean;
  @Field()
  hasPreviousPage: boolean;
  @Field(() => String, { nullable: true })
  startCursor: string | null;
  @Field(() => String, { nullable: true })
  endCursor: string | null;
}

/** `first`/`after` or `last`/`before`, 1 to 100; neither means the first 20. */
@ArgsType()
export class PagingArgs implements PagingArguments {
  @Field(() => Int, { nullable: true })
  first?: number | null;
  @Field(() => String, { nullable: true })
  after?: string | null;
  @Field(() => Int, { nullable: true })
  last?: number | null;
  @Field(() => String, { nullable: true })
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
