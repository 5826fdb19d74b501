import { useEffect, useRef } from 'react';
import { useSite } from '#platform/web/site.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { STAY_FIELDS, STAY_LABELS } from './stayTexts.ts';

interface StaleStayProps {
  message: string;
  /** Texts by field: as they stand in the form, and as somebody else saved them. */
  mine: Record<string, string>;
  theirs: Record<string, string>;
  isBusy: boolean;
  /** What stands in the form is what counts. */
  onKept(): void;
  /** What somebody else saved is what counts. */
  onReplaced(): void;
}

/** What somebody else saved while this form was being filled in, where it differs, and which of the two stays. */
export function StaleStay({ message, mine, theirs, isBusy, onKept, onReplaced }: StaleStayProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { locale } = useSite();
  const shown = (name: string, text = '') => (name.startsWith('date_') ? dayOf(text, locale, 'UTC') : text);
  const differing = STAY_FIELDS.filter((name) => mine[name]?.trim() !== theirs[name]?.trim());
  return (
    <section aria-labelledby="entre-temps" className="mb-8 rounded-[14px] border-2 border-coral p-5">
      <h2 id="entre-temps" ref={heading} tabIndex={-1} className="text-xl">
        {message}
      </h2>
      <p className="mt-2 mb-4">
        Rien n’a été écrasé. Voici ce qui est enregistré et diffère du formulaire{'\u202f'}:
      </p>
      <dl className="flex flex-col gap-3 wrap-anywhere">
        {differing.map((name) => (
          <div key={name}>
            <dt className="font-semibold">{STAY_LABELS[name]}</dt>
            <dd className="whitespace-pre-wrap">
              {shown(name, theirs[name]) || <em className="text-quiet">vide</em>}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-6 flex flex-wrap gap-3">
        <button type="button" className="button" aria-disabled={isBusy} onClick={onKept}>
          Enregistrer mon formulaire
        </button>
        <button type="button" className="button quiet" onClick={onReplaced}>
          Reprendre ce qui est enregistré
        </button>
      </div>
    </section>
  );
}
