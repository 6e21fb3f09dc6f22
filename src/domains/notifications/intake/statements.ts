import { loadStatements } from '../../../platform/postgres.js';

export const statements = loadStatements(new URL('./intake.sql', import.meta.url), [
  'findAccepted',
  'profiles',
  'templates',
  'accept',
]);
