import '../fragments.js';
import { client } from '../../common/client.js';
import { graphql } from '../../common/graphql.js';
import { upload } from '../composer/upload.js';

const ProfilePicture = graphql(/* GraphQL */ `
  query ReaderProfilePicture($mediaId: ID!) {
    media(mediaId: $mediaId) {
      ...ReaderMedia
    }
  }
`);

const POLL_MS = 700;
const TRIES = 60;

/** The server could make no renditions of a file. */
export class NotProcessed extends Error {}

/** Uploads a picture and waits for its renditions. @returns where the one of 300 pixels is */
export async function uploadPicture(file: File): Promise<string> {
  const { mediaId } = await upload(file, () => undefined, new AbortController().signal);
  for (let tries = 0; tries < TRIES; tries++) {
    const { data } = await client.query({
      query: ProfilePicture,
      variables: { mediaId },
      fetchPolicy: 'network-only',
    });
    const media = data?.media;
    if (media?.state === 'FAILED') throw new NotProcessed();
    const url = media?.renditions.find(({ name }) => name === '300')?.url ?? media?.url;
    if (media?.state === 'READY' && url) return url;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new NotProcessed();
}
