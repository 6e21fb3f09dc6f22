import { Component, type ReactNode } from 'react';
import { Failure } from './states.js';

interface Props {
  readonly children: ReactNode;
}

/** Around a page whose code may fail, or may not be there any more after a new release: the rest of the app goes on. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override state = { error: undefined as unknown };

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? (
      this.props.children
    ) : (
      <Failure error={error} retry={() => location.reload()} />
    );
  }
}
