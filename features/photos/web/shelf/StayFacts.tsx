import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { STAY_BYTES, STAY_PHOTOS } from '#features/photos/shared/terms.ts';
import { actorText } from '#features/photos/web/checking/texts.ts';
import type { Tracking } from '#features/photos/web/useStayPhotos.ts';
import type { ManagedStay } from '#features/stays/web/questions.ts';
import { retentionAddress } from '#features/stays/web/stays.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { useSite } from '#platform/web/site.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';

/** Until when the photos stay, what they take, and who answers for the consents. */
export function StayFacts({ stay, tracking }: { stay: ManagedStay; tracking: Tracking }) {
  const { locale, today } = useSite();
  const { attestation, octets, par_statut, photos_jusquau } = tracking;
  const areOver = photos_jusquau < today;
  const count = Object.values(par_statut).reduce((sum, one) => sum + one, 0);
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(14rem,1fr))] gap-3">
      <Fact title={areOver ? 'Ne sont plus visibles depuis le' : 'Visibles jusqu’au'}>
        {dayOf(photos_jusquau, locale, 'UTC')}
        {areOver && ' au soir'}
        <Link className="flex min-h-11 w-fit items-center" to={retentionAddress(stay.id)}>
          Changer la durée
        </Link>
      </Fact>
      <Fact title="Place prise">
        {weightOf(octets)} sur {weightOf(STAY_BYTES)}
        <span className="block text-quiet">
          {count.toLocaleString(locale)} photos sur {STAY_PHOTOS.toLocaleString(locale)}
        </span>
      </Fact>
      <Fact title="Droit à l’image">
        {attestation ? (
          <>
            Confirmé par {actorText(attestation.acteur)}
            <span className="block text-quiet">
              le <Instant value={attestation.atteste_le} />
            </span>
          </>
        ) : (
          'Pas encore confirmé\u202f: la première publication le demandera.'
        )}
      </Fact>
    </dl>
  );
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="rounded-[10px] border border-mist bg-card p-4">
      <dt className="text-sm font-semibold text-quiet">{title}</dt>
      <dd className="mt-1">{children}</dd>
    </div>
  );
}
