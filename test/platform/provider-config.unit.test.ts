import { describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { readConfig } from '../../src/config.js';
import { ConfigError, readArchiveTarget } from '../../src/platform/config.js';

const base = {
  DATABASE_URL: 'postgres://localhost/none',
  REDIS_URL: 'redis://localhost',
  AUTH_SECRET: 'a secret that nothing here checks',
};
const providersOf = (env: Record<string, string>) => readConfig({ ...base, ...env }).providers;
function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...base, ...env });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const vapid = webPush.generateVAPIDKeys();
const webPushEnv = {
  VAPID_PUBLIC_KEY: vapid.publicKey,
  VAPID_PRIVATE_KEY: vapid.privateKey,
  VAPID_SUBJECT: 'mailto:push@example.com',
};
const sendGridEnv = {
  SENDGRID_URL: 'https://api.sendgrid.com',
  SENDGRID_API_KEY: 'SG.x',
  SENDGRID_FROM: 'news@example.com',
  SENDGRID_TEMPLATE_ID: 'd-1',
};
const smtpEnv = { SMTP_URL: 'smtp://mail.example', SMTP_FROM: 'news@example.com' };

describe('providers', () => {
  it('are off where nothing names them', () => {
    expect(providersOf({})).toEqual({});
  });

  it('are a fault where half of what they need is there', () => {
    expect(faultsOf({ VAPID_PUBLIC_KEY: vapid.publicKey, SMTP_URL: 'smtp://mail.example' })).toEqual([
      'VAPID_PRIVATE_KEY is missing (Web Push is otherwise configured)',
      'VAPID_SUBJECT is missing (Web Push is otherwise configured)',
      'SMTP_FROM is missing (SMTP is otherwise configured)',
    ]);
  });

  it('read a key whose line breaks were written as two characters', () => {
    const apns = {
      APNS_URL: 'https://api.push.apple.com',
      APNS_TEAM_ID: 't',
      APNS_KEY_ID: 'k',
      APNS_PRIVATE_KEY: '-----BEGIN\\nX',
      APNS_TOPIC: 'app',
    };
    expect(providersOf(apns).apns?.privateKey).toBe('-----BEGIN\nX');
  });
});

describe('Web Push', () => {
  it('knows hosts besides the browsers’ own', () => {
    expect(providersOf(webPushEnv).webPush).toEqual({
      publicKey: vapid.publicKey,
      privateKey: vapid.privateKey,
      subject: 'mailto:push@example.com',
      hosts: [],
    });
    const hosts = { WEB_PUSH_HOSTS: ' Push.Example:8443, 127.0.0.1:4011,' };
    expect(providersOf({ ...webPushEnv, ...hosts }).webPush?.hosts).toEqual([
      'push.example:8443',
      '127.0.0.1:4011',
    ]);
    expect(providersOf(hosts)).toEqual({});
  });

  it.each([
    [{ VAPID_PUBLIC_KEY: 'short' }, /^VAPID_PUBLIC_KEY is not valid: must be 65 bytes/],
    [{ VAPID_PRIVATE_KEY: 'short' }, /^VAPID_PRIVATE_KEY is not valid: must be 32 bytes/],
    [{ VAPID_PRIVATE_KEY: webPush.generateVAPIDKeys().privateKey }, /does not belong to VAPID_PUBLIC_KEY/],
    [{ VAPID_PRIVATE_KEY: 'A'.repeat(43) }, /does not belong to VAPID_PUBLIC_KEY/],
    [{ VAPID_SUBJECT: 'push@example.com' }, /^VAPID_SUBJECT is not valid/],
  ])('says what is wrong with its keys: %j', (own, why) => {
    expect(faultsOf({ ...webPushEnv, ...own })).toEqual([expect.stringMatching(why)]);
  });

  it('says at once that its keys are no pair and that another setting is missing', () => {
    const { publicKey } = webPush.generateVAPIDKeys();
    const env = { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: vapid.privateKey };
    expect(faultsOf(env)).toEqual([
      'VAPID_SUBJECT is missing (Web Push is otherwise configured)',
      'VAPID_PRIVATE_KEY does not belong to VAPID_PUBLIC_KEY',
    ]);
    expect(faultsOf({ ...env, VAPID_SUBJECT: 'push@example.com' })).toEqual([
      expect.stringMatching(/^VAPID_SUBJECT is not valid/),
      'VAPID_PRIVATE_KEY does not belong to VAPID_PUBLIC_KEY',
    ]);
  });
});

describe('mail', () => {
  it('goes by SendGrid where both are configured, and by SMTP where that is asked for', () => {
    const both = { ...sendGridEnv, ...smtpEnv };
    expect(Object.keys(providersOf(both))).toEqual(['sendgrid']);
    expect(Object.keys(providersOf({ ...both, EMAIL_PROVIDER: 'sendgrid' }))).toEqual(['sendgrid']);
    expect(Object.keys(providersOf({ ...both, EMAIL_PROVIDER: 'smtp' }))).toEqual(['smtp']);
    expect(Object.keys(providersOf(smtpEnv))).toEqual(['smtp']);
  });

  it('is a fault where the provider that is asked for is not configured', () => {
    expect(faultsOf({ ...sendGridEnv, EMAIL_PROVIDER: 'smtp' })).toEqual([
      'SMTP_URL is missing (EMAIL_PROVIDER is smtp)',
    ]);
    expect(faultsOf({ ...smtpEnv, EMAIL_PROVIDER: 'sendgrid' })).toEqual([
      'SENDGRID_URL is missing (EMAIL_PROVIDER is sendgrid)',
    ]);
    expect(faultsOf({ EMAIL_PROVIDER: 'carrier pigeon' })).toHaveLength(1);
  });
});

describe('the outgoing stream', () => {
  const url = 'nats://tidings:secret@localhost:4222';

  it('goes to NATS where it has a URL and a length', () => {
    const { eventStreamNats } = readConfig({
      ...base,
      EVENT_STREAM_NATS_URL: url,
      EVENT_STREAM_LENGTH: '10',
    });
    expect(eventStreamNats?.host).toBe('localhost:4222');
  });

  it('is refused with a URL and no length, or with a URL of something else', () => {
    const missing = ['EVENT_STREAM_LENGTH is missing: how many events stay at EVENT_STREAM_NATS_URL'];
    expect(faultsOf({ EVENT_STREAM_NATS_URL: url })).toEqual(missing);
    expect(faultsOf({ EVENT_STREAM_NATS_URL: url, EVENT_STREAM_LENGTH: '0' })).toEqual(missing);
    expect(faultsOf({ EVENT_STREAM_NATS_URL: 'redis://localhost', EVENT_STREAM_LENGTH: '10' })).toEqual([
      'EVENT_STREAM_NATS_URL is not valid: must be a URL that starts with nats:// or tls://',
    ]);
  });
});

describe('the archive of the log', () => {
  it('is off unless it has a target, and only read unless it has an age', () => {
    expect(readConfig(base).eventArchive).toBeUndefined();
    expect(readConfig({ ...base, EVENT_ARCHIVE_DIR: 'archive' }).eventArchive).toEqual({
      target: { dir: 'archive' },
    });
    const s3 = { EVENT_ARCHIVE_S3_BUCKET: 'log', MEDIA_S3_ENDPOINT: 'https://s3.test' };
    expect(readConfig({ ...base, ...s3, EVENT_ARCHIVE_AFTER_DAYS: '400' }).eventArchive).toEqual({
      target: { s3: { bucket: 'log', region: 'us-east-1', endpoint: 'https://s3.test' } },
      afterDays: 400,
    });
    expect(readArchiveTarget(s3)).toEqual({
      s3: { bucket: 'log', region: 'us-east-1', endpoint: 'https://s3.test' },
    });
  });

  it('is refused without a target, with two, and where uploaded files are', () => {
    expect(faultsOf({ EVENT_ARCHIVE_AFTER_DAYS: '400' })).toEqual([
      'EVENT_ARCHIVE_S3_BUCKET or EVENT_ARCHIVE_DIR is missing: where EVENT_ARCHIVE_AFTER_DAYS archives to',
    ]);
    expect(faultsOf({ EVENT_ARCHIVE_S3_BUCKET: 'log', EVENT_ARCHIVE_DIR: 'archive' })).toEqual([
      'EVENT_ARCHIVE_S3_BUCKET and EVENT_ARCHIVE_DIR are both set: there is one archive',
    ]);
    const bucket = { EVENT_ARCHIVE_S3_BUCKET: 'one', MEDIA_S3_BUCKET: 'one', CDN_URL: 'https://cdn.test' };
    expect(faultsOf(bucket)).toEqual([
      'EVENT_ARCHIVE_S3_BUCKET is MEDIA_S3_BUCKET, which a CDN serves: events are for nobody',
    ]);
    expect(() => readArchiveTarget({})).toThrow('EVENT_ARCHIVE_S3_BUCKET or EVENT_ARCHIVE_DIR is missing');
  });
});
