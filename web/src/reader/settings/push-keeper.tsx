import { usePush } from './use-push.js';

/** Keeps Web Push going, and shows nothing: loaded after the page, which does not wait for it. */
export default function PushKeeper() {
  usePush();
  return null;
}
