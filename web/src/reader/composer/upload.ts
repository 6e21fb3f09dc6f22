import { expire, session } from '../../common/session.js';

interface Uploaded {
  readonly mediaId: string;
  readonly kind: 'image' | 'video';
}

/** A refusal with the API's code and its sentence; `NETWORK` where there was no answer. */
export class UploadFault extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Sends one file. `fetch` does not say how far it is, so this is the older way.
 *
 * @param progress called with 0 to 1
 */
export function upload(file: File, progress: (done: number) => void, signal: AbortSignal): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/api/v1/media');
    request.responseType = 'json';
    const token = session()?.token;
    request.setRequestHeader('authorization', `Bearer ${token ?? ''}`);
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const answer = request.response;
      // Meanwhile there may be another token.
      if (request.status === 401 && token === session()?.token) expire();
      if (request.status === 201) resolve({ mediaId: answer.media_id, kind: answer.kind });
      else
        reject(
          new UploadFault(answer?.error?.code ?? 'UNKNOWN', answer?.error?.message ?? request.statusText),
        );
    };
    request.onerror = () => reject(new UploadFault('NETWORK', ''));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort());
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}
