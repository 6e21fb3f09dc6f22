// Entry of the thread on which documents are read; nothing imports it.
import { registerHooks } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

// Run from sources, Node takes the types away but finds no `.js` file where an import names one.
if (import.meta.url.endsWith('.ts')) {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(
        context.parentURL?.endsWith('.ts') ? specifier.replace(/^(\..*)\.js$/, '$1.ts') : specifier,
        context,
      ),
  });
}
const { readDocument } = await import('./read-document.js');
parentPort?.postMessage(readDocument(workerData.text, workerData.endpoints));
