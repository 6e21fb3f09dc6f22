import { loadStatements } from '../../../platform/postgres.js';

export const statements = loadStatements(new URL('./preferences.sql', import.meta.url), [
  'lockSettings',
  'settingsOf',
  'putSettings',
  'putPreferences',
]);
