declare module '@mermaid-js/tiny' {
  const mermaid: {
    initialize(options: { readonly startOnLoad: boolean; readonly theme: string }): void;
    render(id: string, text: string): Promise<{ readonly svg: string }>;
  };
  export default mermaid;
}
