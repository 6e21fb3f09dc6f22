import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
beforeAll(async () => {
  toy = await startToy({ development: true });
});
afterAll(() => toy.edge.close());

describe('what GraphQL over HTTP requires of a server, as graphql-http audits it', () => {
  for (const audit of serverAudits({ url: () => `${toy.url}/graphql` })) {
    it(audit.name, async () => {
      const result = await audit.fn();
      // Notices and warnings are recommendations; an error breaks a requirement.
      if (result.status === 'error') throw new Error(result.reason);
    });
  }
});
