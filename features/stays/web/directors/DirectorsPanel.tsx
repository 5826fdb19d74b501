import { Mail, Phone } from 'lucide-react';
import { useRef, useState } from 'react';
import { call } from '#platform/web/api.ts';
import { useSearch } from '#platform/web/history.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useConfirmLeaving } from '#platform/web/ui/dialogs.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { RecordList } from '#platform/web/ui/RecordList.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { telephoneAddress } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import type { Director } from '../../calls.ts';
import { CATEGORIES } from '../../shared/terms.ts';
import { StayListState } from '../StaySelect.tsx';
import { PanelLinks, useOnlyStay } from '../stayPage.tsx';
import { STAYS, sendCodesAddress, stayLabel } from '../stays.ts';
import {
  DIRECTORS,
  DirectorForm,
  NewPasswordsTick,
  nameOf,
  useDirectorsAgain,
  useNewPasswords,
} from './DirectorForm.tsx';

/** Panel of directors: the list of all, or of those of the stay whose page it is on; then a form for one of them. */
export function DirectorsPanel() {
  const only = useOnlyStay();
  const directors = useQuestion(DIRECTORS);
  const stays = useQuestion(STAYS);
  const title = useRef<HTMLHeadingElement>(null);
  /** The director that the form starts with; each `turn` is a new form. */
  const [start, setStart] = useState<{ turn: number; director: Director | undefined }>({
    turn: 0,
    director: undefined,
  });
  const wanted = useSearch().get('directeur');
  const confirmLeaving = useConfirmLeaving();

  const begin = (director?: Director) => {
    setStart({ turn: start.turn + 1, director });
    title.current?.focus();
  };
  const edit = async (director: Director) => {
    if (await confirmLeaving()) begin(director);
  };
  const list = directors.data && (
    <DirectorList
      directors={directors.data.filter(
        ({ sejours }) => only === undefined || sejours.some(({ stageId }) => stageId === only),
      )}
      onEdit={edit}
      onGone={() => title.current?.focus({ preventScroll: true })}
    />
  );
  return (
    <div className="flex max-w-3xl flex-col gap-10">
      <div>
        {only === undefined && (
          <>
            <div className="flex flex-wrap items-center justify-between gap-4">
              <h1>Directeurs</h1>
              <Button onClick={() => title.current?.focus()}>Nommer un directeur</Button>
            </div>
            <PanelLinks
              panels={{
                'direction-importer': 'Importer des directeurs',
                'sejours-affecter': 'Affecter des séjours',
              }}
            />
          </>
        )}
        {list}
      </div>
      <div>
        <h2 ref={title} tabIndex={-1} className="scroll-mt-20">
          Nommer ou modifier un directeur
        </h2>
        <p className="mt-3 mb-6 text-quiet">
          Qui dirige quel séjour. Tous les directeurs d’un séjour partagent le mot de passe de ce séjour.
        </p>
        <StayListState query={stays}>
          {(all) => (
            <LoadState query={directors} failed="Les directeurs n’ont pas pu être chargés.">
              {(people) => (
                <DirectorForm
                  key={start.turn}
                  stays={all}
                  directors={people}
                  first={start.turn === 0 ? people.find(({ id }) => String(id) === wanted) : start.director}
                  onSaved={() => begin()}
                />
              )}
            </LoadState>
          )}
        </StayListState>
      </div>
    </div>
  );
}

interface DirectorListProps {
  directors: readonly Director[];
  onEdit(director: Director): void;
  onGone(): void;
}

export function DirectorList({ directors, onEdit, onGone }: DirectorListProps) {
  const { locale, today } = useSite();
  const only = useOnlyStay();
  const isWhole = only === undefined;
  const parts = [
    { key: '', label: 'Tous', has: () => true },
    {
      key: 'a-venir',
      label: 'Avec un séjour en cours ou à venir',
      has: ({ sejours }: Director) => sejours.some(({ date_fin }) => date_fin >= today),
    },
    { key: 'sans', label: 'Sans séjour', has: ({ sejours }: Director) => sejours.length === 0 },
  ];
  return (
    <Section title={isWhole ? 'Tous les directeurs' : 'Directeurs de ce séjour'} look="sr-only">
      {directors.length === 0 ? (
        <p className="well">Aucun directeur pour le moment.</p>
      ) : (
        <RecordList<Director>
          label="Liste"
          items={directors}
          nouns={['directeur', 'directeurs']}
          searchLabel="Rechercher un nom, une adresse ou un séjour"
          searchedFrom={1}
          isPrivate
          textOf={(director) =>
            [
              nameOf(director),
              director.mail,
              ...director.sejours.map((stay) => stayLabel(stay, locale)),
            ].join(' ')
          }
          nameOf={nameOf}
          parts={isWhole ? parts : []}
          onTicked={isWhole ? (ticked) => <SendTheirCodes directors={ticked} /> : undefined}
          row={(director) => <DirectorItem director={director} onEdit={onEdit} onGone={onGone} />}
        />
      )}
    </Section>
  );
}

function SendTheirCodes({ directors }: { directors: readonly Director[] }) {
  const { today } = useSite();
  const coming = directors.flatMap(({ sejours }) => sejours.filter(({ date_fin }) => date_fin >= today));
  const stageIds = [...new Set(coming.map(({ stageId }) => stageId))];
  if (stageIds.length === 0) return null;
  return (
    <Link className="button quiet" to={sendCodesAddress({ stageIds, type: 'formateur' })}>
      Envoyer les codes de leurs séjours
    </Link>
  );
}

interface DirectorItemProps {
  director: Director;
  onEdit(director: Director): void;
  /** Called when the director is about to leave the list, together with the focused button. */
  onGone(): void;
}

const CONTACT = 'flex min-h-11 min-w-0 items-center gap-2';

export function DirectorItem({ director, onEdit, onGone }: DirectorItemProps) {
  const { id, mail, telephone, sejours } = director;
  const { locale } = useSite();
  const { isBusy, remove } = useRemoval(director, onGone);
  const name = nameOf(director);
  const number = telephoneAddress(telephone);
  return (
    <div className="record-main py-4">
      <h3>{name}</h3>
      <div className="flex flex-wrap gap-x-6">
        <a href={`mailto:${mail}`} className={CONTACT}>
          <Mail className="size-4 shrink-0" />
          {mail}
        </a>
        {number ? (
          <a href={number} className={CONTACT}>
            <Phone className="size-4 shrink-0" />
            {telephone}
          </a>
        ) : (
          <p className={CONTACT}>
            <Phone className="size-4 shrink-0" />
            {telephone}
          </p>
        )}
      </div>
      {sejours.length === 0 && <p className="mt-1 text-quiet">Aucun séjour.</p>}
      {sejours.length > 0 && (
        <ul className="mt-1 flex flex-col gap-1.5">
          {sejours.map((stay) => (
            <li key={stay.stageId} className="flex flex-wrap items-center gap-x-3">
              {stayLabel(stay, locale)}
              <span className="rounded-full bg-mist px-3 text-sm font-semibold">{CATEGORIES[stay.cat]}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button quiet aria-label={`Modifier ${name}`} onClick={() => onEdit(director)}>
          Modifier
        </Button>
        <Link
          className="button quiet"
          to={`${panelAddress('sejours-affecter')}&directeur=${id}`}
          aria-label={`Affecter des séjours à ${name}`}
        >
          Affecter des séjours
        </Link>
        <Button
          danger
          className="ml-auto"
          aria-label={`Supprimer ${name}`}
          aria-disabled={isBusy}
          onClick={remove}
        >
          Supprimer
        </Button>
      </div>
    </div>
  );
}

/** Deletes a director after a confirmation, which also offers new passwords for their stays. */
export function useRemoval(director: Director, onGone: () => void) {
  const { isBusy, run } = useAction(useDirectorsAgain());
  const giveNewPasswords = useNewPasswords();
  const { nom, prenom, mail, sejours } = director;

  function remove(): void {
    let isTicked = true;
    const removeNow = async () => {
      const { message } = await call('POST /formateurs/delete', { body: { nom, prenom, mail } });
      await giveNewPasswords(message, isTicked ? sejours : []);
      onGone();
    };
    void run(removeNow, 'Erreur lors de la suppression du directeur', {
      question: `Supprimer ${prenom} ${nom}\u202f?`,
      consequence: 'Ses coordonnées et ses affectations seront effacées définitivement.',
      details: sejours.length > 0 && (
        <NewPasswordsTick
          count={sejours.length}
          isTicked={isTicked}
          onTick={(value) => {
            isTicked = value;
          }}
        />
      ),
      yes: 'Supprimer',
    });
  }
  return { isBusy, remove };
}
