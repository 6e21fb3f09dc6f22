// Diagrams are drawn where a guide has some; all else of a guide is plain HTML.
const diagrams = document.querySelectorAll<HTMLElement>('code.language-mermaid');
if (diagrams.length > 0) await draw();

async function draw(): Promise<void> {
  const { default: mermaid } = await import('@mermaid-js/tiny');
  const isDark = document.documentElement.dataset.mantineColorScheme === 'dark';
  mermaid.initialize({ startOnLoad: false, theme: isDark ? 'dark' : 'neutral' });
  for (const [index, code] of [...diagrams].entries()) {
    const { svg } = await mermaid.render(`diagram-${index}`, code.textContent ?? '');
    const figure = document.createElement('figure');
    figure.innerHTML = svg;
    code.parentElement!.replaceWith(figure);
  }
}

export {};
