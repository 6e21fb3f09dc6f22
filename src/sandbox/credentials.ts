import { createECDH, generateKeyPairSync, type KeyObject, randomBytes, randomInt } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { z } from 'zod';

const pair = z.object({ privateKey: z.string(), publicKey: z.string() });
const credentials = z.object({
  /** The private certificate authority that signed `tls`. */
  ca: z.string(),
  tls: z.object({ key: z.string(), cert: z.string() }),
  apns: pair.extend({ teamId: z.string(), keyId: z.string(), topic: z.string() }),
  fcm: pair.extend({ projectId: z.string(), clientEmail: z.string() }),
  /** A VAPID pair in base64url, and the secret that the keys of sandbox browsers are derived from. */
  webPush: pair.extend({ subject: z.string(), browsers: z.string() }),
  sendgrid: pair.extend({ apiKey: z.string(), from: z.string(), templateId: z.string() }),
  twilio: z.object({ accountSid: z.string(), authToken: z.string(), from: z.string() }),
});

/** What the product and the sandbox agree on: the product's secrets, and how the sandbox checks them. */
export type Credentials = z.infer<typeof credentials>;

const TEN_YEARS_MS = 10 * 365 * 86_400_000;

/**
 * The credentials kept in `dataDir/sandbox/`, made on the first call, so that a restart keeps them. Files
 * are readable by their owner alone.
 *
 * @returns the credentials, and the path of the authority's certificate for NODE_EXTRA_CA_CERTS
 * @throws Error where the kept file cannot be read as credentials
 */
export async function keepCredentials(
  dataDir: string,
): Promise<{ credentials: Credentials; caPath: string }> {
  const folder = join(dataDir, 'sandbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'credentials.json');
  const caPath = join(folder, 'ca.pem');
  const current = (await readKept(path)) ?? (await makeCredentials());
  await writePrivately(path, JSON.stringify(current, null, 2));
  await writePrivately(caPath, current.ca);
  return { credentials: current, caPath };
}

async function readKept(path: string): Promise<Credentials | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    // Kept by a version that knew no Web Push: the other credentials stay.
    return credentials.parse({ webPush: makeWebPush(), ...JSON.parse(text) });
  } catch (cause) {
    throw new Error(`${path} does not hold sandbox credentials: delete it to have new ones made`, { cause });
  }
}

/** Renamed into place, so that a killed process leaves no half a file. */
async function writePrivately(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await chmod(`${path}.new`, 0o600);
  await rename(`${path}.new`, path);
}

async function makeCredentials(): Promise<Credentials> {
  return {
    ...(await makeCertificates()),
    apns: {
      ...pem(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
      teamId: capitals(10),
      keyId: capitals(10),
      topic: 'dev.tidings.sandbox',
    },
    fcm: {
      ...pem(generateKeyPairSync('rsa', { modulusLength: 2048 })),
      projectId: 'tidings-sandbox',
      clientEmail: 'sender@tidings-sandbox.iam.gserviceaccount.com',
    },
    webPush: makeWebPush(),
    sendgrid: {
      ...pem(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
      apiKey: `SG.${randomBytes(16).toString('base64url')}.${randomBytes(32).toString('base64url')}`,
      from: 'news@tidings.example',
      templateId: `d-${randomBytes(16).toString('hex')}`,
    },
    twilio: {
      accountSid: `AC${randomBytes(16).toString('hex')}`,
      authToken: randomBytes(16).toString('hex'),
      from: '+15005550006',
    },
  };
}

function makeWebPush(): Credentials['webPush'] {
  const keys = createECDH('prime256v1');
  return {
    publicKey: keys.generateKeys('base64url'),
    // Node leaves leading zeros out.
    privateKey: Buffer.from(keys.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
    subject: 'mailto:push@tidings.example',
    browsers: randomBytes(32).toString('base64url'),
  };
}

async function makeCertificates(): Promise<Pick<Credentials, 'ca' | 'tls'>> {
  const lasting = {
    notAfterDate: new Date(Date.now() + TEN_YEARS_MS),
    keyType: 'ec',
    algorithm: 'sha256',
  } as const;
  const ca = await generate([{ name: 'commonName', value: 'tidings sandbox authority' }], {
    ...lasting,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...lasting,
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { ca: ca.cert, tls: { key: server.private, cert: server.cert } };
}

function pem(keys: { privateKey: KeyObject; publicKey: KeyObject }): z.infer<typeof pair> {
  return {
    privateKey: keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: keys.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  };
}

/** As Apple's team and key ids look. */
function capitals(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}
