import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  accepted,
  callers,
  channels,
  down,
  type EarlyCallbackTrial,
  openEarlyCallbackTrial,
  unanswered,
} from './early-callback-trial.js';
import { admin, until } from './notification-world.js';

let trial: EarlyCallbackTrial;

beforeAll(async () => {
  trial = await openEarlyCallbackTrial();
  // Fallbacks are released by one of them.
  trial.world.runSchedules();
});
beforeEach(() => trial.work());
afterEach(() => trial.rest());
afterAll(() => trial.close());

describe.each(channels)('a callback about an %s that comes before its provider has answered', (channel) => {
  const answered = callers[channel].answered;

  it('delivers it, and the id that the provider answers is kept', async () => {
    const id = answered();
    trial.calls = [trial.callingBack(channel, accepted(id), ['sent', id], ['delivered', id])];
    const { deliveryId } = await (await trial.send(channel)).recorded('DELIVERED');
    expect(await trial.since(deliveryId)).toEqual(['SENT', 'DELIVERED']);
    expect(await trial.providerIdOf(deliveryId)).toBe(id);
  });

  it('may report a failure of the first call: dead letter, fallback, and the answered id', async () => {
    const id = answered();
    trial.calls = [trial.callingBack(channel, accepted(id), ['sent', id], ['failed', id])];
    const sent = await trial.send(channel);
    const { deliveryId } = await sent.recorded('DEAD');
    expect(await trial.since(deliveryId)).toEqual(['FAILED', 'DLQ']);
    expect(await trial.attemptsOfLetter(deliveryId)).toEqual([1]);
    expect(await trial.providerIdOf(deliveryId)).toBe(id);
    await sent.fellBack();
  });

  it('may report a failure of a retry: dead letter, fallback, and the answered id', async () => {
    const id = answered();
    trial.calls = [async () => down, trial.callingBack(channel, accepted(id), ['failed', id])];
    const sent = await trial.send(channel);
    const { deliveryId } = await sent.recorded('DEAD');
    expect(await trial.since(deliveryId)).toEqual(['FAILED', 'RETRY', 'SENT', 'FAILED', 'DLQ']);
    expect(await trial.attemptsOfLetter(deliveryId)).toEqual([2]);
    expect(await trial.providerIdOf(deliveryId)).toBe(id);
    await sent.fellBack();
  });

  it('may report a failure of what an admin retried', async () => {
    const [first, second] = [answered(), answered()];
    trial.calls = [trial.callingBack(channel, accepted(first), ['failed', first])];
    const { deliveryId } = await (await trial.send(channel)).recorded('DEAD');
    // Twilio and SendGrid repeat what they said of the first message.
    trial.calls = [trial.callingBack(channel, accepted(second), ['failed', first], ['failed', second])];
    await trial.world.notifications.deadLetters.retry(admin, { deliveryIds: [deliveryId] });
    await until(async () => (await trial.attemptsOfLetter(deliveryId)).length === 1);
    expect(await trial.since(deliveryId)).toEqual(['SENT', 'FAILED', 'DLQ']);
    expect(await trial.providerIdOf(deliveryId)).toBe(second);
  });

  it('about an earlier message does not end the one that is being sent', async () => {
    const [first, second] = [answered(), answered()];
    trial.calls = [async () => unanswered, trial.callingBack(channel, accepted(second), ['failed', first])];
    const sent = await trial.send(channel);
    const { deliveryId } = await sent.recorded('SENT');
    expect(await trial.since(deliveryId)).toEqual(['FAILED', 'RETRY', 'SENT']);
    expect(await trial.providerIdOf(deliveryId)).toBe(second);
    await trial.callBack(channel, deliveryId, 'failed', first);
    expect((await sent.find())?.status).toBe('SENT');
    await trial.callBack(channel, deliveryId, 'failed', second);
    expect((await sent.find())?.status).toBe('DEAD');
  });

  it('spares the retry where the provider has it and its answer is lost', async () => {
    const id = answered();
    trial.calls = [trial.callingBack(channel, unanswered, ['sent', id])];
    const sent = await trial.send(channel);
    const { deliveryId } = await sent.recorded('SENT');
    expect((await trial.since(deliveryId)).slice(-1)).toEqual(['SENT']);
    await trial.callBack(channel, deliveryId, 'failed', answered());
    expect((await sent.find())?.status).toBe('SENT');
    await trial.callBack(channel, deliveryId, 'failed', id);
    expect((await sent.find())?.status).toBe('DEAD');
  });

  it('may report a failure of a retry whose answer is lost', async () => {
    const id = answered();
    trial.calls = [async () => down, trial.callingBack(channel, unanswered, ['sent', id], ['failed', id])];
    const sent = await trial.send(channel);
    const { deliveryId } = await sent.recorded('DEAD');
    expect((await trial.since(deliveryId)).slice(-2)).toEqual(['FAILED', 'DLQ']);
    await sent.fellBack();
  });

  it.each([
    ['as it was answered', (id: string) => id],
    ['in the form of callbacks', callers[channel].reported],
  ])('leaves the id such that later ones are known, %s', async (_form, form) => {
    const id = answered();
    trial.calls = [trial.callingBack(channel, accepted(id), ['sent', id])];
    const sent = await trial.send(channel);
    const { deliveryId } = await sent.recorded('SENT');
    expect(await trial.providerIdOf(deliveryId)).toBe(id);
    await trial.post(channel, deliveryId, 'failed', form(answered()));
    expect((await sent.find())?.status).toBe('SENT');
    await trial.post(channel, deliveryId, 'failed', form(id));
    expect((await sent.find())?.status).toBe('DEAD');
    expect(await trial.providerIdOf(deliveryId)).toBe(id);
  });
});
