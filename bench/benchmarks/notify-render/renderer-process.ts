import { answerParent } from '../../harness/answer-parent.ts';
import { type RendererName, renderers } from './renderers/index.ts';
import type { Rendered, Renderer } from './renderers/renderer.ts';
import { type Kind, recipients } from './texts.ts';

/** What a process that renders does for the benchmark. */
export type RendererMethods = typeof methods;

/** Between two looks at the clock. */
const BATCH = 500;

let renderer: Renderer | undefined;
let own: (typeof recipients)[Kind] = [];

const methods = {
  async open(name: RendererName, kind: Kind): Promise<void> {
    renderer = await renderers[name](kind);
    own = recipients[kind];
  },

  /** What everybody gets. */
  all(): readonly Rendered[] {
    return own.map((variables) => opened()(variables));
  },

  /** Renderings a second. */
  run(seconds: number): number {
    const render = opened();
    const startedAt = performance.now();
    const until = startedAt + seconds * 1000;
    let renderings = 0;
    let characters = 0;
    while (performance.now() < until) {
      for (let n = 0; n < BATCH; n += 1) {
        const rendered = render(own[renderings % own.length] ?? {});
        // As a sender would: a text that nobody looks at need not be put together.
        for (const field in rendered) characters += Buffer.byteLength(rendered[field] ?? '');
        renderings += 1;
      }
    }
    if (characters === 0) throw new Error('nothing was rendered');
    return renderings / ((performance.now() - startedAt) / 1000);
  },
};

function opened(): Renderer {
  if (!renderer) throw new Error('no renderer is open');
  return renderer;
}

answerParent(methods);
