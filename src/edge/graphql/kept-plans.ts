import { LRUCache } from 'lru-cache';
import type { ObjectPlan } from './plan.js';

/** Of all operations and variants together; a field takes up to 5 kB with its closures and its generated code. */
const KEPT_FIELDS = 15_000;
const KEPT_VARIANTS = 4_000;
/** Objects of a selection; generating code for it costs about as much as executing a hundred. */
const GENERATE_AFTER = 60;

/** The plan of an operation for one combination of values in `@skip` and `@include`. It grows as objects are planned. */
export interface Variant {
  /** Unique among the variants of all operations. */
  readonly id: string;
  root: ObjectPlan | undefined;
  /** It was found again after the request that planned it. */
  isRepeated: boolean;
}

/** The variants of one operation, by the values of its conditions. They go with it. */
export type Variants = Map<string, Variant>;

interface Counted {
  readonly variants: WeakRef<Variants>;
  readonly key: string;
  readonly fields: number;
}

/**
 * Decides which plans of operations are kept, those in use longest: of all documents in one bound, since one document has
 * many variants. Code is generated only for plans that were kept from one request to another, so that no client can have it
 * generated with every request.
 */
export class KeptPlans {
  readonly generateAfter: number;
  private readonly onRefused: (error: EvalError) => void;
  private readonly counted = new LRUCache<string, Counted>({
    max: KEPT_VARIANTS,
    maxSize: KEPT_FIELDS,
    sizeCalculation: ({ fields }) => fields + 1,
    dispose: (counted, id, reason) => {
      if (reason === 'evict') forget(id, counted);
    },
  });
  private added = 0;
  private generates = true;

  /** @param options.onRefused is called once, where this process may not generate code */
  constructor(
    options: { readonly generateAfter?: number; readonly onRefused?: (error: EvalError) => void } = {},
  ) {
    this.generateAfter = options.generateAfter ?? GENERATE_AFTER;
    this.onRefused = options.onRefused ?? (() => undefined);
  }

  find(variants: Variants, key: string): Variant | undefined {
    const variant = variants.get(key);
    if (!variant) return undefined;
    this.counted.get(variant.id);
    variant.isRepeated = true;
    return variant;
  }

  add(variants: Variants, key: string): Variant {
    this.added += 1;
    const variant: Variant = { id: String(this.added), root: undefined, isRepeated: false };
    variants.set(key, variant);
    this.counted.set(variant.id, { variants: new WeakRef(variants), key, fields: 0 });
    return variant;
  }

  grow({ id }: Variant, fields: number): void {
    const before = this.counted.peek(id);
    if (!before) return;
    const grown = { ...before, fields: before.fields + fields };
    this.counted.set(id, grown);
    if (!this.counted.has(id)) forget(id, grown);
  }

  mayGenerate({ isRepeated }: Variant): boolean {
    return isRepeated && this.generates;
  }

  /** What `generate` gives; undefined, from then on for every plan, where Node's options forbid code from strings. */
  generate<Code>(generate: () => Code): Code | undefined {
    try {
      return generate();
    } catch (error) {
      if (!(error instanceof EvalError)) throw error;
      this.generates = false;
      this.onRefused(error);
      return undefined;
    }
  }

  /** For metrics and tests: never more than the bound. */
  get keptFields(): number {
    return this.counted.calculatedSize;
  }
}

function forget(id: string, counted: Counted): void {
  const variants = counted.variants.deref();
  if (variants?.get(counted.key)?.id === id) variants.delete(counted.key);
}
