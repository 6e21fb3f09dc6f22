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

/** The type `<name>Connection` of a page, with its `<name>Edge`: an item and its cursor. */
export function connectionOf(name: string, node: ClassType<object>, description: string) {
  @ObjectType(`${name}Edge`, { simpleResolvers: true })
  class Edge {
    @Field()
    cursor: string;
    @Field(() => node)
    node: object;
  }
  return pageOf(name, Edge, description);
}

/** The type `<name>Connection` of a page whose edges say more about each item. */
export function pageOf(
  name: string,
  edge: ClassType<Connection<object>['edges'][number]>,
  description: string,
) {
  @ObjectType(`${name}Connection`, { simpleResolvers: true, description })
  class Page {
    @Field(() => [edge])
    edges: Connection<object>['edges'];
    @Field(() => PageInfo)
    pageInfo: PageInfo;
  }
  return Page;
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
