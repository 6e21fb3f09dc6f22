// Prints, as JSON, the packages whose code is loaded by importing the module that the first argument names.
import { registerHooks } from 'node:module';

const packages = new Set();
registerHooks({
  load(url, context, nextLoad) {
    const name = url
      .split('/node_modules/')
      .at(-1)
      ?.match(/^(?:@[^/]+\/)?[^/]+/)?.[0];
    if (url.includes('/node_modules/') && name) packages.add(name);
    return nextLoad(url, context);
  },
});
await import(process.argv[2]);
process.stdout.write(JSON.stringify([...packages].sort()), () => process.exit(0));
