import type { Plugin } from 'vite';

const PAGES: readonly (readonly [RegExp, string])[] = [
  [/^\/console(\/|$|\?)/, '/console.html'],
  [/^\/app(\/|$|\?)/, '/app.html'],
  [/^\/graphiql(\/|$|\?)/, '/graphiql.html'],
];

/** While developing: the paths at which the api serves each page. */
export function pagePaths(): Plugin {
  return {
    name: 'page-paths',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _, next) => {
        const { url = '' } = request;
        // An id at the end of a path may have a dot: there are no files below these paths.
        const found = PAGES.find(([paths]) => paths.test(url));
        if (found) request.url = found[1];
        next();
      });
    },
  };
}
