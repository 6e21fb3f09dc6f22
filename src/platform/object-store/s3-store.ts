import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { ObjectStore, S3Config } from './store.js';

/** Keys that one request may remove (S3's limit). */
const REMOVE_AT_ONCE = 1_000;
const CONNECT_MS = 5_000;
/** Completing an upload of many parts takes Amazon its time. */
const SILENT_MS = 60_000;

/**
 * Amazon S3, or whatever speaks it. The SDK is loaded with the first file: an installation without S3 never pays for it.
 * A `put` that is killed leaves parts that no key names; a lifecycle rule of the bucket for incomplete multipart
 * uploads takes them away. A job that waits for a store that has gone silent would hold a worker's place for good: such a
 * request is made again by the SDK, three times in all, and rejects, as a file does that comes no further.
 *
 * @param silentMs for which nothing moves on a connection
 */
export function createS3Store(
  { bucket, region, endpoint }: S3Config,
  { silentMs = SILENT_MS }: { readonly silentMs?: number } = {},
): ObjectStore {
  let opening: Promise<{ sdk: typeof import('@aws-sdk/client-s3'); client: S3Client }> | undefined;
  async function load() {
    const sdk = await import('@aws-sdk/client-s3');
    // A store under an address of one's own seldom has a host name for each bucket.
    const own = endpoint === undefined ? {} : { endpoint, forcePathStyle: true };
    // Checksums that Amazon has added since are refused by many other stores.
    const client = new sdk.S3Client({
      region,
      ...own,
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: silentMs },
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { sdk, client };
  }
  const opened = () => {
    opening ??= load();
    return opening;
  };

  return {
    async put(key, body, { contentType, cacheControl }) {
      const { client } = await opened();
      const { Upload } = await import('@aws-sdk/lib-storage');
      const params = {
        Bucket: bucket,
        Key: key,
        Body: Readable.from(body),
        ContentType: contentType,
        CacheControl: cacheControl,
      };
      await new Upload({ client, params }).done();
    },

    async get(key) {
      const { sdk, client } = await opened();
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }));
      return Body as Readable;
    },

    async remove(keys) {
      const { sdk, client } = await opened();
      for (let i = 0; i < keys.length; i += REMOVE_AT_ONCE) {
        const Objects = keys.slice(i, i + REMOVE_AT_ONCE).map((Key) => ({ Key }));
        const { Errors: [fault] = [] } = await client.send(
          new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        );
        if (fault) throw new Error(`the store kept ${fault.Key}: ${fault.Code} ${fault.Message}`);
      }
    },
  };
}
