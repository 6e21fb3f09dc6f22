import {
  type GraphQLField,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';

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
