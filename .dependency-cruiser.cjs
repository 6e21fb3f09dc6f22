// Who may import whom, as the architecture lays it down:
// api, worker -> context -> rims -> domains -> platform. Anything not allowed here is refused.

const rims = '^src/(resolvers|schema|http|jobs|projectors)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      // A circle that exists for the types alone is gone when the program runs.
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'platform-knows-nobody',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/', pathNot: '^src/platform/' },
    },
    {
      name: 'configuration-is-composed-of-configurations',
      comment: 'it composes what each part declares, and knows nothing else of them',
      severity: 'error',
      from: { path: '^src/config\\.ts$' },
      to: { path: '^src/', pathNot: ['^src/platform/', 'config\\.ts$'] },
    },
    {
      name: 'domains-stand-on-platform',
      severity: 'error',
      from: { path: '^src/domains/' },
      to: { path: '^src/', pathNot: '^src/(platform|domains)/' },
    },
    {
      name: 'domains-do-not-know-each-other',
      comment: 'what one needs of another it declares as a port, which context.ts fills',
      severity: 'error',
      from: { path: '^src/domains/([^/]+)/' },
      to: { path: '^src/domains/', pathNot: '^src/domains/$1/' },
    },
    {
      name: 'what-pages-share-stands-alone',
      comment: 'it becomes part of the pages (web/), where nothing else of the server may go',
      severity: 'error',
      from: { path: '^src/domains/feed/(links/link-in|posts/mentions)\\.ts$' },
      to: {},
    },
    {
      name: 'edge-stands-on-platform',
      severity: 'error',
      from: { path: '^src/edge/' },
      to: { path: '^src/', pathNot: '^src/(platform|edge)/' },
    },
    {
      name: 'edge-gate-stands-alone',
      comment:
        'within the edge: gate, then http, then graphql, then socket; each imports only those before it',
      severity: 'error',
      from: { path: '^src/edge/gate/' },
      to: { path: '^src/edge/(http|graphql|socket)/' },
    },
    {
      name: 'edge-http-knows-only-the-gate',
      severity: 'error',
      from: { path: '^src/edge/http/' },
      to: { path: '^src/edge/(graphql|socket)/' },
    },
    {
      name: 'edge-graphql-does-not-know-sockets',
      severity: 'error',
      from: { path: '^src/edge/graphql/' },
      to: { path: '^src/edge/socket/' },
    },
    {
      name: 'rims-take-the-context-as-a-type',
      severity: 'error',
      from: { path: rims },
      to: { path: '^src/context\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'rims-do-not-know-each-other',
      comment: 'resolvers and the types of their schema are one rim',
      severity: 'error',
      from: { path: '^src/(resolvers|schema|http|jobs|projectors)/' },
      to: {
        path: rims,
        pathNot: ['^src/$1/', '^src/(resolvers|schema)/'],
      },
    },
    {
      name: 'only-resolvers-meet-the-schema',
      severity: 'error',
      from: { path: '^src/(http|jobs|projectors)/' },
      to: { path: '^src/(resolvers|schema)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sandbox-is-a-third-party',
      comment: 'the product reaches it by the wire alone',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(sandbox/|start\\.ts$)' },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'sandbox-knows-wire-formats-only',
      severity: 'error',
      from: { path: '^src/sandbox/' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/(sandbox|platform)/',
          '^src/domains/notifications/providers/(list|declare|stand-in)\\.ts$',
        ],
      },
    },
    {
      name: 'stand-ins-know-wire-formats-only',
      comment: "what a provider's adapter and its stand-in have in common would hide the mistakes of both",
      severity: 'error',
      from: { path: '^src/domains/notifications/providers/([^/]+)/sandbox' },
      to: {
        path: '^src/',
        pathNot: ['^src/platform/', '^src/domains/notifications/providers/(stand-in\\.ts$|$1/sandbox)'],
      },
    },
    {
      name: 'only-the-sandbox-loads-stand-ins',
      comment: "a provider's declaration imports its own when the sandbox asks for it",
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/domains/notifications/providers/[^/]+/sandbox' },
      to: {
        path: '^src/domains/notifications/providers/[^/]+/sandbox',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'processes-do-not-start-servers',
      comment: 'embedded servers belong to `start`; `main` reads the kept secret and the readable errors',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(local/|(start|main)\\.ts$)' },
      to: { path: '^src/local/' },
    },
    {
      name: 'no-undeclared-package',
      comment: 'what only a laptop runs may use packages for development',
      severity: 'error',
      from: { pathNot: '^src/(demo|local|sandbox)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-undeclared-package-on-a-laptop',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'unresolvable',
      comment:
        'it takes the .sql file for what `npm run sql:types` writes beside it; the compiler finds that',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['/generated/', '\\.sql\\.js$'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/generated/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
