import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { z } from 'zod';
import type { StandIn } from '../domains/notifications/providers/stand-in.js';

const certificates = z.object({
  /** The private certificate authority that signed `tls`. */
  ca: z.string(),
  tls: z.object({ key: z.string(), cert: z.string() }),
});

/** The sandbox's certificates, and the credentials of each of its providers. */
export type Credentials = z.infer<typeof certificates> & { readonly [provider: string]: unknown };

const TEN_YEARS_MS = 10 * 365 * 86_400_000;

/**
 * The credentials kept in `dataDir/sandbox/`, made on the first call, so that a restart keeps them. Files
 * are readable by their owner alone.
 *
 * @param standIns by the names under which their credentials are kept
 * @returns the credentials, and the path of the authority's certificate for NODE_EXTRA_CA_CERTS
 * @throws Error where the kept file cannot be read as credentials
 */
export async function keepCredentials(
  dataDir: string,
  standIns: Readonly<Record<string, StandIn>>,
): Promise<{ credentials: Credentials; caPath: string }> {
  const folder = join(dataDir, 'sandbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'credentials.json');
  const caPath = join(folder, 'ca.pem');
  const current = (await readKept(path, standIns)) ?? (await makeCredentials(standIns));
  await writePrivately(path, JSON.stringify(current, null, 2));
  await writePrivately(caPath, current.ca);
  return { credentials: current, caPath };
}

async function readKept(
  path: string,
  standIns: Readonly<Record<string, StandIn>>,
): Promise<Credentials | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const kept: unknown = JSON.parse(text);
    const own = z.record(z.string(), z.unknown()).parse(kept);
    return {
      ...ofEach(standIns, (standIn, name) =>
        // A version without this provider has kept none for it.
        name in own ? standIn.credentials.parse(own[name]) : standIn.makeCredentials(),
      ),
      ...certificates.parse(kept),
    };
  } catch (cause) {
    throw new Error(`${path} does not hold sandbox credentials: delete it to have new ones made`, { cause });
  }
}

const ofEach = (
  standIns: Readonly<Record<string, StandIn>>,
  of: (standIn: StandIn, name: string) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(standIns).map(([name, standIn]) => [name, of(standIn, name)]));

/** Renamed into place, so that a killed process leaves no half a file. */
async function writePrivately(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await chmod(`${path}.new`, 0o600);
  await rename(`${path}.new`, path);
}

const makeCredentials = async (standIns: Readonly<Record<string, StandIn>>): Promise<Credentials> => ({
  ...ofEach(standIns, (standIn) => standIn.makeCredentials()),
  ...(await makeCertificates()),
});

async function makeCertificates(): Promise<z.infer<typeof certificates>> {
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
