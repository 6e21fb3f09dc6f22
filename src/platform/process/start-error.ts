/** Something outside keeps tidings from starting. The message says what, and what to do, in one line. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}
