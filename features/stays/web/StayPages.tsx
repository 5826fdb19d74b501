import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { rangeOf } from '#platform/shared/dates.ts';
import { call } from '#platform/web/api.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useThing } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { DeleteStay } from './DeleteStay.tsx';
import { familyViewAddress, type ManagedStay, STAYS_ADDRESS, stayQuestion } from './questions.ts';
import { StayForm } from './StayForm.tsx';
import { sendCodesAddress } from './stays.ts';

/** The form of a stay that does not exist yet. */
export function NewStay() {
  const saved = useSaved();
  const navigate = useNavigate();
  return (
    <div className="max-w-2xl">
      <BackToList />
      <h1 className="mb-6">Créer un séjour</h1>
      <StayForm
        submitLabel="Créer le séjour"
        failure="Erreur lors de la création du séjour"
        save={(body) => call('POST /stages', { body })}
        onSaved={({ message }) =>
          saved(message, {
            label: 'Voir les mots de passe',
            run: () => navigate(panelAddress('mots-de-passe')),
          })
        }
      />
    </div>
  );
}

/** The form of one stay, read anew: somebody is about to change it. */
export function StayToChange({ id }: { id: string }) {
  const query = useThing(stayQuestion(id), 'Erreur lors de la récupération du séjour:', { isFresh: true });
  return (
    <div className="max-w-2xl">
      <BackToList />
      <h1 className="mb-6">Modifier un séjour</h1>
      <LoadState query={query} failed="Le séjour n’a pas pu être chargé.">
        {(stay) =>
          stay ? (
            <LoadedStay first={stay as ManagedStay} />
          ) : (
            <p className="well">Ce séjour n’existe pas ou n’existe plus.</p>
          )
        }
      </LoadState>
    </div>
  );
}

function LoadedStay({ first }: { first: ManagedStay }) {
  const [stay, setStay] = useState(first);
  const { locale, today } = useSite();
  const saved = useSaved();
  return (
    <>
      <p className="-mt-4 mb-6 text-quiet wrap-anywhere">
        Séjour n° {stay.id}, {rangeOf(stay.date_debut, stay.date_fin, locale)}
      </p>
      <Ways id={stay.id} />
      <StayForm
        key={stay.version}
        stay={stay}
        submitLabel="Modifier"
        failure="Erreur lors de la modification"
        save={(body) => call('PUT /stages/:id', { params: { id: stay.id }, body })}
        onSaved={({ message, ...after }) => saved(isEnding(after, today) ? `${message}. ${ENDING}` : message)}
        onReplaced={setStay}
        danger={<DeleteStay stay={stay} onDeleted={saved} />}
      />
    </>
  );
}

/** Said while what a slip of the finger began can still be put right. */
const ENDING =
  'Ses photos ne sont plus en ligne\u202f: elles seront effacées dans un jour, avec ses familles et ses mots de passe.';

function isEnding(
  { photos_jusquau, efface_le }: Pick<ManagedStay, 'photos_jusquau' | 'efface_le'>,
  today: string,
): boolean {
  return photos_jusquau < today && efface_le === null;
}

/** Where else this stay is seen to. */
function Ways({ id }: { id: number }) {
  const ways = [
    { to: `${panelAddress('familles')}&sejour=${id}`, label: 'Enfants' },
    { to: panelAddress('mots-de-passe'), label: 'Mots de passe' },
    { to: sendCodesAddress({ stageIds: [id] }), label: 'Envoyer les codes' },
    { to: `/photos-modify/${id}`, label: 'Photos' },
    { to: familyViewAddress(id), label: 'Voir comme une famille' },
  ];
  return (
    <nav aria-label="Ce séjour ailleurs" className="mb-6">
      <ul className="flex flex-wrap gap-x-6">
        {ways.map(({ to, label }) => (
          <li key={to}>
            <Link className="inline-flex min-h-11 items-center" to={to}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function BackToList() {
  return (
    <p className="mb-2">
      <Link className="inline-flex min-h-11 items-center" to={STAYS_ADDRESS}>
        Tous les séjours
      </Link>
    </p>
  );
}

/** Says it, forgets what was known of stays, and goes back to their list. */
function useSaved() {
  const { say } = useNotices();
  const answers = useQueryClient();
  const navigate = useNavigate();
  return (...said: Parameters<typeof say>) => {
    say(...said);
    void answers.invalidateQueries();
    navigate(STAYS_ADDRESS);
  };
}
