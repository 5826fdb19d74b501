import { type RefObject, useId } from 'react';
import type { Child } from '#features/stays/calls.ts';
import type { Consent } from '#features/stays/shared/terms.ts';
import { FieldError } from '#platform/web/ui/Field.tsx';
import { CONSENT_TEXTS } from './ChildForm.tsx';

interface ChildListProps {
  /** Around the list, to find it. */
  place: RefObject<HTMLFieldSetElement | null>;
  items: readonly Child[];
  chosen: Child | undefined;
  onChoose(child: Child): void;
  error: string | undefined;
}

/** The children to choose one from, in a frame of their own so that what is done with it stays in reach. */
export function ChildList({ place, items, chosen, onChoose, error }: ChildListProps) {
  const id = useId();
  return (
    <fieldset
      ref={place}
      className="flex flex-col gap-1.5"
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className="sr-only">Enfants de ce séjour</legend>
      <div className="max-h-[28rem] overflow-y-auto rounded-[10px] border border-edge bg-card">
        {items.map((child) => (
          <label
            key={child.id}
            className="flex min-h-11 cursor-pointer items-center gap-3 border-b border-mist px-4 py-2.5 last:border-b-0 has-checked:bg-mist"
          >
            <input
              type="radio"
              name={id}
              className="size-5 shrink-0"
              checked={child.id === chosen?.id}
              onChange={() => onChoose(child)}
            />
            <span className="grid min-w-0 grow items-center gap-x-4 wrap-anywhere sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_10rem]">
              <span>
                <b className="font-semibold">{child.nom}</b> {child.prenom}
              </span>
              <span className="text-sm text-quiet">
                {[child.email, child.email_2].filter(Boolean).join(', ')}
              </span>
              <span className={`text-sm sm:text-right ${COLOURS[child.consentement_image]}`}>
                {CONSENT_TEXTS[child.consentement_image]}
              </span>
            </span>
          </label>
        ))}
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

/** The word says it, too. */
const COLOURS: Record<Consent, string> = {
  oui: 'text-quiet',
  non: 'font-semibold text-coral',
  inconnu: 'font-semibold',
};
