// The first thing that `main` imports: what an older Node lacks would end the process in a stack trace. It imports nothing.

/** What tidings runs on; `engines` in package.json says the same. */
export const NODE_VERSIONS = '^22.15.0 || >=24.0.0';

/** Why tidings does not run on this version of Node, and how to run it; null where it does. */
export function unsupported(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major >= 24 || (major === 22 && minor >= 15)) return null;
  return `tidings needs Node ${NODE_VERSIONS}, and this is ${version}: run it as \`npx tidings\` in its folder, or with node_modules/.bin/node, which is a Node that fits`;
}

const why = unsupported(process.versions.node);
if (why !== null) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
