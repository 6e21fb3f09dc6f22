import { type FieldNode, type GraphQLCompositeType, Kind, type ValueNode } from 'graphql';

/** The time that a field asks about: how long the lists directly inside may be follows from it and their step. */
export class Span {
  constructor(
    private readonly from: ValueNode | undefined,
    private readonly to: ValueNode | undefined,
    private readonly step?: ValueNode | undefined,
  ) {}

  /** The same time in the steps of a list. */
  in(list: FieldNode): Span {
    return new Span(this.from, this.to, argument(list, 'stepSeconds'));
  }

  /** How many steps it has in one request; the maximum where it is not known. */
  sizeIn(variables: Readonly<Record<string, unknown>>): number {
    // It consists of the minutes that begin in it.
    const [from, to] = [this.from, this.to].map((node) => Math.ceil(timeOf(given(node, variables)) / 60_000));
    const step = Number(given(this.step, variables) ?? DEFAULT_STEP_SECONDS);
    const steps = Math.ceil(((to! - from!) * 60) / step);
    return Number.isFinite(steps) ? Math.min(Math.max(1, steps), MOST_STEPS) : MOST_STEPS;
  }

  /** A key that differs between spans. */
  toString(): string {
    return [this.from, this.to, this.step].map((node) => `${node?.loc?.start}`).join('-');
  }
}

const DEFAULT_STEP_SECONDS = 60;
/** A series of analytics has no more. */
const MOST_STEPS = 1_500;

/** Fields that have lists of steps directly inside. */
const SPANS: ReadonlySet<string> = new Set(['Query.notificationAnalytics']);

/** The time that a field asks about; undefined for all others. */
export const spanOf = (parent: GraphQLCompositeType, node: FieldNode): Span | undefined =>
  SPANS.has(`${parent.name}.${node.name.value}`)
    ? new Span(argument(node, 'from'), argument(node, 'to'))
    : undefined;

const argument = (node: FieldNode, name: string): ValueNode | undefined =>
  node.arguments?.find((one) => one.name.value === name)?.value;

function given(node: ValueNode | undefined, variables: Readonly<Record<string, unknown>>): unknown {
  if (node?.kind === Kind.VARIABLE) return variables[node.name.value];
  return node && 'value' in node ? node.value : undefined;
}

const timeOf = (value: unknown): number =>
  value instanceof Date || typeof value === 'string' || typeof value === 'number'
    ? new Date(value).getTime()
    : Number.NaN;
