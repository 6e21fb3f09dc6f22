import {
  type GraphQLField,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import { type ClassType, Field, ObjectType } from 'type-graphql';
import type { Connection } from '../platform/paging.js';
import { PageInfo } from './relay.js';

/** The edge of an item. Edges that say more about their items extend it. */
export function edgeOf(node: ClassType<object>, description = 'The object itself.') {
  @ObjectType({ simpleResolvers: true })
  abstract class Edge {
    @Field({
      description: 'The place of this item: pass it as `after` or `before` to go on from here. Opaque.',
    })
    cursor: string;
    @Field(() => node, { description })
    node: object;
  }
  return Edge;
}

/** A page of a list. Connections that say more extend it. */
export function pageOf(edge: ClassType<Connection<object>['edges'][number]>) {
  @ObjectType({ simpleResolvers: true })
  abstract class Page {
    @Field(() => [edge], { description: 'The items of this page, in order.' })
    edges: Connection<object>['edges'];
    @Field(() => PageInfo, {
      description: 'Whether there is more on either side, and the cursors to go on with.',
    })
    pageInfo: PageInfo;
  }
  return Page;
}

/** The type `<name>Connection` of a page, with its `<name>Edge`. */
export function connectionOf(name: string, node: ClassType<object>, description: string) {
  @ObjectType(`${name}Edge`, { simpleResolvers: true })
  class ItemEdge extends edgeOf(node) {}
  @ObjectType(`${name}Connection`, { simpleResolvers: true, description })
  class ItemConnection extends pageOf(ItemEdge) {}
  return ItemConnection;
}

interface Page {
  readonly edges: readonly { readonly node: unknown }[];
}

/** Gives every connection `nodes`: the nodes of its edges, for clients that need no cursors. */
export function addNodes(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || !type.name.endsWith('Connection')) continue;
    const edge = schema.getType(type.name.replace(/Connection$/, 'Edge'));
    if (!isObjectType(edge)) throw new Error(`${type.name} has no edge type`);
    const node: GraphQLOutputType = edge.getFields().node!.type;
    const nodes: Partial<GraphQLField<unknown, unknown>> = {
      name: 'nodes',
      description: 'The objects of `edges`, in the same order, without their cursors.',
      type: new GraphQLNonNull(new GraphQLList(node)),
      args: [],
      resolve: (page) => (page as Page).edges.map((one) => one.node),
      deprecationReason: undefined,
      extensions: {},
      astNode: undefined,
    };
    type.getFields().nodes = nodes as GraphQLField<unknown, unknown>;
  }
}
