import { useId } from 'react';
import { useSite } from '../../site.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { dayOf } from '../../ui/texts.ts';
import { STAY_LABELS, type textsOfStay } from './stayTexts.ts';

type StayName = keyof typeof STAY_LABELS;

interface StayFieldsProps {
  texts: ReturnType<typeof textsOfStay>;
  errors: Record<string, string>;
  /** Last day on which the photos are seen, as things stand. */
  photosUntil: string | undefined;
}

/** What a stay is, what its people must know, and how long its photos stay. */
export function StayFields({ texts, errors, photosUntil }: StayFieldsProps) {
  const { locale } = useSite();
  const id = useId();
  const field = (name: StayName) => ({
    name,
    label: STAY_LABELS[name],
    defaultValue: texts[name],
    error: errors[name],
  });
  return (
    <>
      <div className="flex flex-col gap-5">
        <TextField {...field('nom_stage')} isRequired maxLength={150} />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <TextField {...field('date_debut')} isRequired type="date" />
          <TextField {...field('date_fin')} isRequired type="date" />
        </div>
      </div>
      <section aria-labelledby={`${id}-information`} className="flex flex-col gap-5">
        <div>
          <h2 id={`${id}-information`}>Informations pratiques</h2>
          <p className="mt-1 text-quiet">
            Les familles et les directeurs de ce séjour les lisent une fois connectés, et personne d’autre.
          </p>
        </div>
        <TextArea {...field('adresse')} rows={3} maxLength={500} />
        <TextArea {...field('horaires')} rows={3} maxLength={1_000} />
        <TextField {...field('telephone_urgence')} type="tel" maxLength={50} />
        <TextArea {...field('consignes')} rows={6} maxLength={5_000} />
      </section>
      <section aria-labelledby={`${id}-photos`} className="flex flex-col gap-5">
        <div>
          <h2 id={`${id}-photos`}>Photos</h2>
          {photosUntil && (
            <p className="mt-1 text-quiet">
              Elles sont visibles jusqu’au {dayOf(photosUntil, locale, 'UTC')} inclus.
            </p>
          )}
        </div>
        <TextField
          {...field('conservation_jours')}
          inputMode="numeric"
          maxLength={3}
          help="De 1 à 365 jours après la fin du séjour. Vide, la durée est celle des réglages du site."
        />
      </section>
    </>
  );
}
