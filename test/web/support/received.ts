import type { Page } from 'playwright-core';

/** @returns how many updates of a subscription have come since */
export async function received(page: Page, field: string): Promise<() => number> {
  let count = 0;
  const session = await page.context().newCDPSession(page);
  session.on('Network.webSocketFrameReceived', ({ response }) => {
    if (response.payloadData.includes(`"${field}"`)) count += 1;
  });
  await session.send('Network.enable');
  return () => count;
}
