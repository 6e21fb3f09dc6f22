import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { countFollowers } from '../../src/demo/follows.js';
import { makeHistory } from '../../src/demo/history.js';
import { type Demo, makeDemo } from '../../src/demo/make.js';
import { userIdRule } from '../../src/domains/commerce/rules.js';
import { renderTemplate } from '../../src/domains/notifications/templates/render.js';

const NOW = Date.parse('2026-03-10T12:34:56.789Z');
const DAY = 86_400_000;
const demo = makeDemo(NOW);
const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** What does not tell time. */
const timeless = ({
  people,
  follows,
  posts,
  accounts,
  transfers,
  products,
  customers,
  shop,
  settings,
  templates,
}: Demo) => ({
  people: people.map(({ userId, displayName, theme, popularity }) => [
    userId,
    displayName,
    theme,
    popularity,
  ]),
  follows: follows.map(({ followees }) => followees),
  posts: posts.map(({ author, content, visibility, likes, comments, shares }) => [
    author,
    content,
    visibility,
    likes,
    comments,
    shares,
  ]),
  accounts: accounts.map(({ accountId, history }) => [accountId, history.map(({ event }) => event)]),
  products: products.map(({ savedAt: _, ...product }) => product),
  customers: customers.map(({ customerId, registered, address }) => [customerId, registered.data, address]),
  happenings: [...transfers, ...shop].map(({ at: _, data: { timestamp: __, ...data }, ...happening }) => [
    happening,
    data,
  ]),
  settings,
  templates,
});

describe('demo data', () => {
  it('is the same in every run', () => {
    expect(hash(makeDemo(NOW))).toBe(hash(demo));
  });

  it('differs by nothing but times when it is made at another time', () => {
    expect(hash(timeless(makeDemo(NOW + 5 * DAY + 7 * 3_600_000)))).toBe(hash(timeless(demo)));
  });

  it('gives every user a unique id that the API accepts', () => {
    const ids = demo.people.map(({ userId }) => userId);
    expect(new Set(ids).size).toBe(12_000);
    expect(ids.filter((id) => !userIdRule.shape.test(id) || id !== id.toLowerCase())).toEqual([]);
    expect(ids.slice(0, 5)).toEqual(['alice', 'bob', 'carol', 'dave', 'erin']);
  });

  it('lets alice and her friends follow each other and about 150 more', () => {
    for (let place = 0; place < 5; place += 1) {
      const { followees } = demo.follows[place]!;
      expect(followees.filter((followee) => followee < 5)).toEqual(
        [0, 1, 2, 3, 4].filter((p) => p !== place),
      );
      expect(followees.length).toBeGreaterThan(145);
      expect(followees.length).toBeLessThan(165);
    }
  });

  it('has three celebrities, and nobody else has 10,000 followers', () => {
    const followers = countFollowers(demo.follows);
    const crowd = demo.people.filter((_, place) => followers[place]! > 10_000);
    expect(crowd.map(({ isCelebrity }) => isCelebrity)).toEqual([true, true, true]);
    expect(demo.people.filter(({ isCelebrity }) => isCelebrity)).toEqual(crowd);
  });

  it('writes posts of the last seven days whose ids carry their times', () => {
    expect(demo.posts).toHaveLength(20_000);
    const wrong = demo.posts.filter(({ postId, createdAt }, index) => {
      const carried = Number.parseInt(postId.replace('-', '').slice(0, 12), 16);
      const before = demo.posts[index - 1];
      const isLater =
        !before || createdAt > before.createdAt || (createdAt === before.createdAt && postId > before.postId);
      return carried !== createdAt || createdAt > NOW || createdAt < NOW - 7 * DAY || !isLater;
    });
    expect(wrong).toEqual([]);
  });

  it('writes posts that people could have written: varied, filled in, few twice', () => {
    const texts = demo.posts.map(({ content }) => content);
    expect(new Set(texts).size).toBeGreaterThan(18_500);
    expect(texts.filter((text) => /[{}]|undefined/.test(text))).toEqual([]);
  });

  it('sleeps at night', () => {
    const hours = new Array<number>(24).fill(0);
    for (const { createdAt } of demo.posts) hours[new Date(createdAt).getUTCHours()]! += 1;
    expect(hours[19]! / hours[7]!).toBeGreaterThan(4);
  });

  it('keeps the order of each stream in the history of all', () => {
    const last = new Map<string, number>();
    let time = 0;
    for (const { streamId, streamPosition, at } of makeHistory(demo)) {
      expect(streamPosition).toBe((last.get(streamId) ?? -1) + 1);
      expect(at).toBeGreaterThanOrEqual(time);
      last.set(streamId, streamPosition);
      time = at;
    }
  });

  it('has a template for every type on every channel, each of which renders', () => {
    const english = demo.templates.filter(({ language }) => language === 'en');
    expect(new Set(english.map(({ type, channel }) => `${type} ${channel}`)).size).toBe(17 * 4);
    expect(demo.templates.map(({ templateId }) => templateId)).toContain('new-follower.push.en');
    for (const template of demo.templates) {
      const required = Object.entries(template.variables).filter(([, rule]) => rule.required);
      const given = Object.fromEntries(
        required.map(([name, rule]) => [name, rule.type === 'number' ? 7 : 'seven']),
      );
      expect(renderTemplate(template, given).kind).toBe('rendered');
      const used = JSON.stringify([
        template.subject,
        template.title,
        template.body,
        template.htmlBody,
        template.actionUrl,
      ]);
      const unknown = [...used.matchAll(/\{\{(\w+)\}\}/g)].filter(([, name]) => !template.variables[name!]);
      expect(unknown).toEqual([]);
    }
  });

  it('writes to made-up mailboxes and numbers only', () => {
    const strange = demo.settings.filter(
      ({ email, phone }) =>
        !/^[a-z0-9._-]+@example\.(com|org|net)$/.test(email) ||
        (phone !== null && !/^\+[1-9]\d{7,14}$/.test(phone)),
    );
    expect(strange).toEqual([]);
    const [ios, android] = demo.devices;
    expect(ios!.deviceToken).toMatch(/^[0-9a-f]{64}$/);
    expect(android!.deviceToken.length).toBeGreaterThanOrEqual(100);
  });
});
