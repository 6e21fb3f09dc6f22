import { useRouteError } from 'react-router';
import { Failure } from './states.js';

/** In the place of a page whose code failed, or could not be loaded. */
export function RoomError() {
  return <Failure error={useRouteError()} retry={() => location.reload()} />;
}
