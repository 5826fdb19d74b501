import { Search } from 'lucide-react';
import { useId } from 'react';
import type { Child } from '#features/stays/calls.ts';
import type { Consent } from '#features/stays/shared/terms.ts';
import { folded } from '#platform/shared/fold.ts';
import { CONSENT_TEXTS } from './ChildForm.tsx';

/** What is looked for: words of a name or an address, and one answer about photos, or any. */
interface Wanted {
  text: string;
  consent: Consent | '';
}

export const ANY: Wanted = { text: '', consent: '' };

/** The children who have all the words, in whatever order they were typed. */
export function matching(children: readonly Child[], { text, consent }: Wanted): Child[] {
  const words = folded(text).split(/\s+/);
  return children.filter(({ prenom, nom, email, email_2, consentement_image }) => {
    if (consent !== '' && consentement_image !== consent) return false;
    const own = folded([prenom, nom, email, email_2].join(' '));
    return words.every((word) => own.includes(word));
  });
}

interface ChildSearchProps {
  wanted: Wanted;
  onWanted(wanted: Wanted): void;
}

export function ChildSearch({ wanted, onWanted }: ChildSearchProps) {
  const id = useId();
  return (
    <search className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_14rem]">
      <div className="flex flex-col gap-1.5">
        <label htmlFor={`${id}-text`} className="font-semibold">
          Rechercher un nom ou une adresse
        </label>
        <div className="relative">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-quiet"
          />
          <input
            id={`${id}-text`}
            type="search"
            className="input pl-10"
            autoComplete="off"
            maxLength={100}
            value={wanted.text}
            onChange={({ target }) => onWanted({ ...wanted, text: target.value })}
          />
        </div>
      </div>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={`${id}-consent`} className="font-semibold">
          Montrer
        </label>
        <select
          id={`${id}-consent`}
          className="input"
          value={wanted.consent}
          onChange={({ target }) => onWanted({ ...wanted, consent: target.value as Wanted['consent'] })}
        >
          <option value="">Tous les enfants</option>
          {Object.entries(CONSENT_TEXTS).map(([consent, text]) => (
            <option key={consent} value={consent}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </search>
  );
}
