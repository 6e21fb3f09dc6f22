import { loadStatements } from '../../../platform/postgres.js';

export const statements = loadStatements(new URL('./lifecycle.sql', import.meta.url), [
  'requestByName',
  'requestsById',
  'receivedRequest',
  'deliveriesById',
  'timelines',
  'eventsAfter',
]);
