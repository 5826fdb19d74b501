import { useEffect, useId, useRef } from 'react';
import { useLocation } from 'react-router';
import { useSite } from '#platform/web/site.tsx';
import { TextArea, TextField } from '#platform/web/ui/Field.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import type { ManagedStay } from './questions.ts';
import { erasedText, RETENTION_FIELD } from './stays.ts';
import { STAY_LABELS, type textsOfStay } from './stayTexts.ts';

type StayName = keyof typeof STAY_LABELS;

interface StayFieldsProps {
  texts: ReturnType<typeof textsOfStay>;
  errors: Record<string, string>;
  /** As it stands; absent: a new one. */
  stay: ManagedStay | undefined;
}

/** What a stay is, what its people must know, and how long its photos stay. */
export function StayFields({ texts, errors, stay }: StayFieldsProps) {
  const id = useId();
  const retention = useRef<HTMLElement>(null);
  const isAsked = useLocation().hash === `#${RETENTION_FIELD}`;
  useEffect(() => {
    if (isAsked) retention.current?.querySelector<HTMLElement>('[data-first-focus]')?.focus();
  }, [isAsked]);
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
      <section ref={retention} aria-labelledby={`${id}-photos`} className="flex flex-col gap-5">
        <div>
          <h2 id={`${id}-photos`}>Photos</h2>
          {stay && <PhotosEnd stay={stay} />}
        </div>
        <TextField
          {...field(RETENTION_FIELD)}
          isFirstFocus={isAsked}
          inputMode="numeric"
          maxLength={3}
          help="De 1 à 365 jours après la fin du séjour. Les familles et les mots de passe sont effacés avec les photos. Vide, la durée est celle des réglages du site."
        />
      </section>
    </>
  );
}

/** Until when the photos are seen, or since when nobody of the stay is left. */
function PhotosEnd({ stay: { photos_jusquau, efface_le } }: { stay: ManagedStay }) {
  const { locale, timeZone, today } = useSite();
  const end = dayOf(photos_jusquau, locale, 'UTC');
  return (
    <p className="mt-1 text-quiet">
      {efface_le
        ? `${erasedText(efface_le, locale, timeZone)} Une conservation plus longue lui donne de nouveaux mots de passe.`
        : photos_jusquau < today
          ? `Elles étaient visibles jusqu’au ${end} inclus.`
          : `Elles sont visibles jusqu’au ${end} inclus.`}
    </p>
  );
}
