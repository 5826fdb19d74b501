import { Component, type ReactNode } from 'react';
import { Button } from './Button.tsx';

/** Shows an error, instead of a blank screen, when a page fails to render or its chunk to load. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="page" role="alert" aria-live="assertive">
        <h1>Cette page n’a pas pu s’afficher</h1>
        <p className="mt-4">La connexion est peut-être coupée, ou le site vient d’être mis à jour.</p>
        <p className="mt-6">
          <Button onClick={() => window.location.reload()}>Recharger la page</Button>
        </p>
      </div>
    );
  }
}
