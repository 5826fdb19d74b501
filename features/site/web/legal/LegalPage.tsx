import { Fragment, type ReactNode } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';

/** The column of a long text. */
export function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="page max-w-3xl">
      <h1>{title}</h1>
      {children}
    </div>
  );
}

/** A part of a long text, with the name under which others link to it. */
export interface LegalSection {
  id: string;
  title: string;
  Body(props: { identity: Identity | undefined }): ReactNode;
}

interface LegalSectionsProps {
  sections: readonly LegalSection[];
  identity: Identity | undefined;
}

export function LegalSections({ sections, identity }: LegalSectionsProps) {
  return (
    <div className="prose mt-6 text-lg [&_h2]:mt-10 [&_h2]:text-2xl [&_h3]:mt-6">
      {sections.map(({ id, title, Body }) => (
        // No element around: the spaces of a text are those between its neighbours.
        <Fragment key={id}>
          <h2 id={id}>{title}</h2>
          <Body identity={identity} />
        </Fragment>
      ))}
    </div>
  );
}

/** To the contact form: by the browser itself, which then goes down to it. */
export function ContactLink({ children }: { children: ReactNode }) {
  return <a href="/mentions-legales#contact">{children}</a>;
}

/** « 60 jours », as the settings say. */
export function photoRetention(identity: Identity | undefined): string {
  const days = identity?.photos_conservation_jours;
  if (days === undefined) return 'un temps limité';
  return `${days}\u00a0jour${days > 1 ? 's' : ''}`;
}

export const IDENTITY = { key: 'GET /identite' } as const;

export type Identity = ReplyOf<'GET /identite'>;

/** Who the organisation is. The long texts are shown without it as well: they only name it. */
export function useIdentity() {
  return useQuestion(IDENTITY, 'Erreur lors de la récupération de l’identité:');
}
