import { SignInForm } from '../shared/sign-in.js';

export function Reader() {
  return <SignInForm />;
}
