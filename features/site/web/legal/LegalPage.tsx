import type { ReactNode } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Link } from '#platform/web/ui/Link.tsx';
import { IDENTITY } from '../questions.ts';

export function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="page max-w-3xl">
      <h1>{title}</h1>
      {children}
    </div>
  );
}

export function LegalText({ children }: { children: ReactNode }) {
  return <div className="prose mt-6 text-lg [&_h2]:mt-10 [&_h2]:text-2xl [&_h3]:mt-6">{children}</div>;
}

export interface LegalSectionProps {
  /** The anchor that other pages link to. */
  id: string;
  title: string;
  children: ReactNode;
}

/** A section of a long text; without an element of its own, as the spacing of prose applies between siblings. */
export function LegalSection({ id, title, children }: LegalSectionProps) {
  return (
    <>
      <h2 id={id}>{title}</h2>
      {children}
    </>
  );
}

export function ContactLink({ children }: { children: ReactNode }) {
  return <Link to="/contact">{children}</Link>;
}

/** The photo retention of the settings as French text: « 60 jours ». */
export function photoRetention(identity: Identity | undefined): string {
  const days = identity?.photos_conservation_jours;
  if (days === undefined) return 'un temps limité';
  return `${days}\u00a0jour${days > 1 ? 's' : ''}`;
}

export type Identity = ReplyOf<'GET /identite'>;

/** The identity of the organisation. Long texts are shown without it as well, as they only name it. */
export function useIdentity() {
  return useQuestion(IDENTITY);
}
