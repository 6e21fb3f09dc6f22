/** The parts of http_ece that tests use: a codec of encrypted content that is not ours. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface Parameters {
    readonly version: 'aes128gcm';
    readonly privateKey: ECDH;
    readonly authSecret: string;
    /** Whom to encrypt for, base64url; decryption finds the sender's key in the body. */
    readonly dh?: string;
    readonly salt?: string;
  }
  const codec: {
    encrypt(plain: Buffer, parameters: Parameters): Buffer;
    decrypt(body: Buffer, parameters: Parameters): Buffer;
  };
  export default codec;
}
