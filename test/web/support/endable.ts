import type { Page, WebSocketRoute } from 'playwright-core';

/**
 * A subscription of the page that can be ended with an error, as a server does that cannot go on; and how often it began. To be called
 * before the page opens its socket.
 */
export async function endable(page: Page, name: string, code?: string) {
  let begun = 0;
  let last: { readonly socket: WebSocketRoute; readonly id: string } | undefined;
  await page.routeWebSocket('**/graphql', (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const { id, type, payload } = JSON.parse(String(message));
      if (type === 'subscribe' && payload.operationName === name) {
        begun += 1;
        last = { socket, id };
      }
      server.send(message);
    });
  });
  return {
    started: () => begun,
    now() {
      const { socket, id } = last!;
      const error = { message: 'It cannot go on', ...(code && { extensions: { code } }) };
      socket.send(JSON.stringify({ id, type: 'error', payload: [error] }));
    },
  };
}
