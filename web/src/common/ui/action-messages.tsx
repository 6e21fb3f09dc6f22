import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** What actions did, at the edge of the page. Loaded after it: until then the messages wait. */
export default function ActionMessages() {
  return <Notifications position="bottom-right" />;
}
