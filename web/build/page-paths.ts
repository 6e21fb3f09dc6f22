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
      server.middlewares.use((request, response, next) => {
        const { url = '' } = request;
        // Ids in paths may have dots: only what web/public has below a page's path is a file.
        const isFile = /^\/app\/(manifest\.webmanifest|sw\.js)(\?|$)/.test(url);
        if (isFile) response.setHeader('service-worker-allowed', '/app');
        const found = isFile ? undefined : PAGES.find(([paths]) => paths.test(url));
        if (found) request.url = found[1];
        next();
      });
    },
  };
}
