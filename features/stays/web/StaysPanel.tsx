import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { rangeOf } from '#platform/shared/dates.ts';
import { call } from '#platform/web/api.ts';
import { useSearch } from '#platform/web/history.tsx';
import { useQuestion, useThing } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { RecordList } from '#platform/web/ui/RecordList.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';
import { useReportDownload } from './ReportPanel.tsx';
import { StayForm } from './StayForm.tsx';
import { BackToList, StayListState } from './StaySelect.tsx';
import { NewStayLink, PanelLinks } from './stayPage.tsx';
import {
  COUNTED_STAYS,
  type CountedStay,
  groupedStays,
  type ManagedStay,
  peopleOf,
  STAYS_ADDRESS,
  type StayState,
  sendCodesAddress,
  slipsAddress,
  stateOf,
  stayAddress,
  stayFormAddress,
  stayLabel,
  stayQuestion,
} from './stays.ts';

/** Panel of the stays: their list, or the form of a new one. One of them has a page of its own. */
export function StaysPanel() {
  const search = useSearch();
  return search.get('sejour') === null ? <AllStays /> : <NewStay />;
}

function AllStays() {
  const query = useQuestion(COUNTED_STAYS);
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-4">
        <h1>Séjours</h1>
        {query.data && query.data.length > 0 && <NewStayLink />}
      </div>
      <PanelLinks
        panels={{
          'sejours-importer': 'Importer des séjours',
          'mots-de-passe': 'Mots de passe',
          rapport: 'Rapports',
        }}
      />
      <StayListState query={query}>{(stays) => <StayList stays={stays} />}</StayListState>
    </>
  );
}

function StayList({ stays }: { stays: readonly CountedStay[] }) {
  const { locale, today } = useSite();
  const inState = (state: StayState) => (stay: CountedStay) => stateOf(stay, today) === state;
  return (
    <RecordList
      label="Liste"
      items={stays}
      nouns={['séjour', 'séjours']}
      searchLabel="Rechercher un séjour"
      searchedFrom={2}
      textOf={(stay) => `${stayLabel(stay, locale)} ${stay.id}`}
      nameOf={(stay) => stayLabel(stay, locale)}
      parts={[
        { key: '', label: 'Tous', has: () => true },
        { key: 'en-cours', label: 'En cours', has: inState('running') },
        { key: 'a-venir', label: 'À venir', has: inState('coming') },
        { key: 'passes', label: 'Passés', has: inState('past') },
        { key: 'sans-directeur', label: 'Sans directeur', has: ({ directeurs }) => directeurs === 0 },
        { key: 'sans-enfant', label: 'Sans enfant', has: ({ familles }) => familles === 0 },
      ]}
      ownOrder="Par état"
      groupsOf={(found) => groupedStays(found, today).map(({ title, stays: items }) => ({ title, items }))}
      orders={[
        { key: 'date', label: 'Plus récents d’abord', compare: byStart },
        {
          key: 'nom',
          label: 'De A à Z',
          compare: (one, other) => one.nom_stage.localeCompare(other.nom_stage, locale),
        },
        {
          key: 'enfants',
          label: 'Plus d’enfants d’abord',
          compare: (one, other) => other.familles - one.familles,
        },
      ]}
      onTicked={(ticked) => <ActionsOnSeveral stays={ticked} />}
      row={(stay) => <StayRow stay={stay} />}
    />
  );
}

function byStart(one: CountedStay, other: CountedStay): number {
  return other.date_debut.localeCompare(one.date_debut);
}

/** What is done with the ticked stays; no code is given out for those whose photos are over. */
function ActionsOnSeveral({ stays }: { stays: readonly CountedStay[] }) {
  const { isBusy, save } = useReportDownload();
  const open = stays.filter(({ photos_finies }) => !photos_finies).map(({ id }) => id);
  return (
    stays.length > 0 && (
      <div className="flex flex-wrap gap-2">
        {open.length > 0 && (
          <>
            <Link className="button quiet" to={sendCodesAddress({ stageIds: open })}>
              Envoyer les codes
            </Link>
            <Link className="button quiet" to={slipsAddress(open)} state="prepare">
              Imprimer les étiquettes
            </Link>
          </>
        )}
        <Button quiet aria-disabled={isBusy} onClick={() => save(stays)}>
          {stays.length > 1 ? 'Télécharger les rapports' : 'Télécharger le rapport'}
        </Button>
      </div>
    )
  );
}

function StayRow({ stay }: { stay: CountedStay }) {
  const { locale } = useSite();
  const { id, nom_stage, date_debut, date_fin } = stay;
  return (
    <>
      <div className="record-main py-1.5">
        <p>
          <Link className="row-open" to={stayAddress(id)}>
            {nom_stage}
          </Link>
        </p>
        <p className="text-quiet first-letter:uppercase">{rangeOf(date_debut, date_fin, locale)}</p>
        <p className="text-sm text-quiet">
          N° {id} · {peopleOf(stay)}
        </p>
      </div>
      <div className="record-actions">
        <Link
          className="button quiet"
          to={stayFormAddress(id)}
          aria-label={`Modifier ${stayLabel(stay, locale)}`}
        >
          Modifier
        </Link>
      </div>
    </>
  );
}

function NewStay() {
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
        onSaved={({ message, id }) =>
          saved(message, {
            label: 'Voir les mots de passe',
            run: () => navigate(stayAddress(id, 'codes')),
          })
        }
      />
    </div>
  );
}

/** The form of one stay, fetched anew rather than from the cache, as it is about to be changed. */
export function StayToChange() {
  const search = useSearch();
  const question = stayQuestion(search.get('sejour') ?? '');
  const query = useThing(question, { isFresh: true });
  return (
    <div className="max-w-2xl">
      <LoadState query={query} failed="Le séjour n’a pas pu être chargé.">
        {(stay) => stay && <LoadedStay first={stay as ManagedStay} />}
      </LoadState>
    </div>
  );
}

function LoadedStay({ first }: { first: ManagedStay }) {
  const [stay, setStay] = useState(first);
  const { today } = useSite();
  const saved = useSaved();
  return (
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
  );
}

/** Warning shown while an end of photos set by mistake can still be corrected. */
const ENDING =
  'Ses photos ne sont plus en ligne\u202f: elles seront effacées dans un jour, avec ses familles et ses mots de passe.';

function isEnding(
  { photos_jusquau, efface_le }: Pick<ManagedStay, 'photos_jusquau' | 'efface_le'>,
  today: string,
): boolean {
  return photos_jusquau < today && efface_le === null;
}

/** Returns a function that shows a notice, invalidates all cached answers, and goes back to the list of stays. */
function useSaved() {
  const { say } = useNotices();
  const answers = useQueryClient();
  const navigate = useNavigate();
  return (...said: Parameters<typeof say>) => {
    say(...said);
    // Fetched again where they are shown next: of a stay that was deleted, none could be fetched here.
    void answers.invalidateQueries({ refetchType: 'none' });
    navigate(STAYS_ADDRESS);
  };
}

function DeleteStay({ stay, onDeleted }: { stay: ManagedStay; onDeleted(message: string): void }) {
  const { locale } = useSite();
  const { isBusy, run } = useAction();
  const remove = async () => {
    onDeleted((await call('DELETE /stages/:id', { params: { id: stay.id } })).message);
  };
  const onRemove = () =>
    run(remove, 'Erreur lors de la suppression', {
      question: 'Êtes-vous sûr de vouloir supprimer ce séjour\u202f?',
      consequence: `«\u00a0${stayLabel(stay, locale)}\u00a0» sera effacé pour toujours. ${leavingWith(stay)} Les connexions ouvertes prendront fin.`,
      yes: 'Supprimer définitivement',
    });
  return (
    <Button danger aria-disabled={isBusy} onClick={onRemove}>
      Supprimer
    </Button>
  );
}

/** Sentences saying who and what is deleted with a stay; its directors themselves are kept. */
function leavingWith({ familles, directeurs, photos }: ManagedStay): string {
  const children = familles === 0 ? [] : [familles === 1 ? 'un enfant' : `${familles} enfants`];
  const pictures = photos === 0 ? [] : [photos === 1 ? 'une photo' : `${photos} photos`];
  const things = [...children, ...pictures, 'ses mots de passe', 'son bilan', 'ses évaluations'];
  const list = new Intl.ListFormat('fr').format(things);
  const places =
    directeurs === 0
      ? ''
      : directeurs === 1
        ? ' Un directeur n’y sera plus affecté.'
        : ` ${directeurs} directeurs n’y seront plus affectés.`;
  return `Avec lui partent ${list}.${places}`;
}
