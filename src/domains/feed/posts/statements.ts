/** What the commands on posts read. */
export { sql } from './commands.sql.js';
