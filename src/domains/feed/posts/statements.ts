import { loadStatements } from '../../../platform/postgres.js';

/** What the commands on posts read. */
export const sql = loadStatements(new URL('./commands.sql', import.meta.url), [
  'isKnownCommand',
  'findShared',
  'findAuthor',
  'findEdits',
  'findEditTexts',
  'isTurn',
]);
