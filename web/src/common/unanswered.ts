import { ServerError, ServerParseError } from '@apollo/client/errors';
import { AWAY } from './reachability.js';

/** What `fetch` throws in Chromium, Firefox and Safari where no server answers, or not to the end; other TypeErrors are faults of a program. */
const UNANSWERED = /^(Failed to fetch|NetworkError|network error|Error in body stream|Load failed)/;

/** Whether a request failed because no server answered it. */
export const isUnanswered = (error: unknown): boolean =>
  ServerError.is(error) || ServerParseError.is(error)
    ? AWAY.includes(error.statusCode)
    : error instanceof TypeError && UNANSWERED.test(error.message);
