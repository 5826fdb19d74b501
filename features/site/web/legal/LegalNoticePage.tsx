import type { ReactNode } from 'react';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { IDENTITY_FIELDS, type IdentityName } from '../../shared/identity.ts';
import { type Identity, LegalPage, useIdentity } from './LegalPage.tsx';

export function LegalNoticePage() {
  const query = useIdentity();
  return (
    <LegalPage title="Mentions légales">
      <div className="mt-6">
        <LoadState query={query} failed="Les mentions légales n’ont pas pu être chargées.">
          {(identity) => <Notice identity={identity} />}
        </LoadState>
      </div>
      <Section id="contact" title="Nous écrire" className="mt-12 print:hidden">
        <p className="mt-3">
          <Link className="button" to="/contact">
            Écrire au CSE
          </Link>
        </p>
      </Section>
      <LegalLinks />
    </LegalPage>
  );
}

type Name = keyof Identity & IdentityName;

const PARTS: readonly { title: string; names: readonly Name[] }[] = [
  {
    title: 'Éditeur du site',
    names: [
      'organisation_nom',
      'organisation_adresse',
      'organisation_telephone',
      'organisation_email',
      'organisation_siren',
      'organisation_rna',
      'directeur_publication',
    ],
  },
  { title: 'Hébergeur', names: ['hebergeur_nom', 'hebergeur_adresse', 'hebergeur_telephone'] },
  { title: 'Données personnelles', names: ['contact_donnees'] },
];

/** The identity of the organisation; omits lines that staff left blank, and sections without lines. */
function Notice({ identity }: { identity: Identity }) {
  const parts = PARTS.map(({ title, names }) => ({
    title,
    names: names.filter((name) => identity[name] !== ''),
  })).filter(({ names }) => names.length > 0);
  if (parts.length === 0) return <p className="well">Ces informations seront complétées par le CSE.</p>;
  return parts.map(({ title, names }) => (
    <section key={title} className="mb-8">
      <h2>{title}</h2>
      <dl className="mt-3 divide-y divide-mist border-y border-mist">
        {names.map((name) => (
          <div key={name} className="gap-x-6 py-3 sm:grid sm:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="text-quiet">{IDENTITY_FIELDS[name].label}</dt>
            <dd className="font-semibold whitespace-pre-line wrap-anywhere">{shown(name, identity[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  ));
}

function shown(name: Name, value: string): ReactNode {
  return name === 'organisation_email' ? <a href={`mailto:${value}`}>{value}</a> : value;
}

const TEXTS = [
  { to: '/politique-confidentialite', label: 'Politique de confidentialité' },
  { to: '/politique-photos', label: 'Politique photos' },
  { to: '/accessibilite', label: 'Accessibilité' },
];

export function LegalLinks() {
  return (
    <nav aria-labelledby="voir-aussi" className="mt-12 print:hidden">
      <h2 id="voir-aussi" className="text-xl">
        Voir aussi
      </h2>
      <ul className="mt-2 flex flex-wrap gap-x-6">
        {TEXTS.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className="inline-flex min-h-11 items-center">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
