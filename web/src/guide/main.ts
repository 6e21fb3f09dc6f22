import url from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';

/** What the script of Mermaid leaves at the window: it is no module. */
interface Mermaid {
  initialize(options: { readonly startOnLoad: boolean; readonly theme: string }): void;
  render(id: string, text: string): Promise<{ readonly svg: string }>;
}

// Diagrams are drawn where a guide has some; all else of a guide is plain HTML.
const diagrams = document.querySelectorAll<HTMLElement>('code.language-mermaid');
if (diagrams.length > 0) {
  const script = document.createElement('script');
  script.src = url;
  script.onload = () => void draw((globalThis as unknown as { mermaid: Mermaid }).mermaid);
  document.head.append(script);
}

async function draw(mermaid: Mermaid): Promise<void> {
  const isDark = document.documentElement.dataset.mantineColorScheme === 'dark';
  mermaid.initialize({ startOnLoad: false, theme: isDark ? 'dark' : 'neutral' });
  for (const [index, code] of [...diagrams].entries()) {
    const { svg } = await mermaid.render(`diagram-${index}`, code.textContent ?? '');
    const figure = document.createElement('figure');
    figure.tabIndex = 0;
    figure.innerHTML = svg;
    code.parentElement!.replaceWith(figure);
  }
}
