export { sql as demoStatements } from './load.sql.js';
