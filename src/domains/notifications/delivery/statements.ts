import { loadStatements } from '../../../platform/postgres.js';

export const statements = loadStatements(new URL('./mailbox.sql', import.meta.url), [
  'claim',
  'apply',
  'requeue',
  'requeueOverdue',
  'silentMailboxes',
  'lockDelivery',
  'deadLetterCount',
  'makePartitions',
]);
