import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { FileDown, Mail, Printer } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { rangeOf } from '#platform/shared/dates.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { download } from '#platform/web/download.ts';
import { useSearch } from '#platform/web/history.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { useLeading } from '#platform/web/ui/arrival.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { useConfirmLeaving, type Wish } from '#platform/web/ui/dialogs.tsx';
import { SelectField } from '#platform/web/ui/Field.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';
import type { Child } from '../../calls.ts';
import type { Consent } from '../../shared/terms.ts';
import { StayListState, StayOptions, StaySelect, useChosenStay, useStayChoice } from '../StaySelect.tsx';
import { useOnlyStay } from '../stayPage.tsx';
import {
  childrenQuestion,
  erasedText,
  type ManagedStay,
  type NamedStay,
  STAYS,
  sendCodesAddress,
  stayLabel,
  stayQuestion,
  writeAddress,
} from '../stays.ts';
import { ChildForm, ChildList, childrenIn, countOf, nameOf, PrintedChildren } from './children.tsx';

export function FamiliesPanel() {
  return (
    <div className="max-w-4xl">
      <h1>Familles</h1>
      <p className="mt-3 mb-6 text-quiet">
        Les enfants inscrits à un séjour et les adresses de leurs familles. Pour en ajouter beaucoup à la
        fois, <Link to={panelAddress('familles-importer')}>importez un fichier</Link>.
      </p>
      <Families />
    </div>
  );
}

export function Families() {
  const stays = useQuestion(STAYS);
  return <StayListState query={stays}>{(list) => <ChosenStay stays={list} />}</StayListState>;
}

function ChosenStay({ stays }: { stays: readonly NamedStay[] }) {
  const { chosen, place, error, choose, miss } = useStayChoice(stays, useChosenStay());
  const confirmLeaving = useConfirmLeaving();
  return (
    <div ref={place} className="flex flex-col gap-6">
      <StaySelect
        stays={stays}
        value={chosen?.id}
        error={error}
        onChoose={async (stay) => {
          if (await confirmLeaving()) choose(stay);
        }}
      />
      {chosen ? <StayChildren key={chosen.id} stay={chosen} /> : <DeleteAll onAsked={miss} />}
    </div>
  );
}

function StayChildren({ stay }: { stay: NamedStay }) {
  const known = useStay(stay.id);
  const query = useChildren(stay.id);
  return (
    <LoadState query={known} failed="Le séjour n’a pas pu être chargé.">
      {({ efface_le }) =>
        efface_le ? (
          <ErasedStay since={efface_le} />
        ) : (
          <LoadState query={query} failed="Les familles n’ont pas pu être chargées.">
            {(items) => <Children stay={stay} items={items} />}
          </LoadState>
        )
      }
    </LoadState>
  );
}

function ErasedStay({ since }: { since: string }) {
  const { locale, timeZone } = useSite();
  return <p className="well">{erasedText(since, locale, timeZone)}</p>;
}

/** The open form; it adds a child when `child` is undefined. A new `key` makes a new form. */
interface OpenForm {
  key: number;
  child: Child | undefined;
}

function Children({ stay, items }: { stay: NamedStay; items: readonly Child[] }) {
  const { locale } = useSite();
  const search = useSearch();
  const wanted = items.find(({ id }) => String(id) === search.get('enfant'));
  const [form, setForm] = useState<OpenForm | undefined>(wanted && { key: 0, child: wanted });
  const heading = useRef<HTMLHeadingElement>(null);
  const { say } = useNotices();
  const confirmLeaving = useConfirmLeaving();
  const leading = useLeading();
  const askAgain = useChildrenAgain(stay.id);
  const toHeading = () => heading.current?.focus();
  const { isBusy, remove, removeAll } = useDeletions(stay, toHeading);
  const move = useMove(stay, toHeading);
  const consents = useConsents(stay);

  const open = (child?: Child) => setForm({ key: (form?.key ?? 0) + 1, child });
  const openAfterQuestion = async (child?: Child) => {
    if (await confirmLeaving()) open(child);
  };
  const close = () => {
    setForm(undefined);
    toHeading();
  };
  const closeFormOf = (gone: readonly Child[]) => {
    if (gone.some(({ id }) => id === form?.child?.id)) setForm(undefined);
  };
  const erase = async (children: readonly Child[]) => {
    if (await remove(children)) closeFormOf(children);
  };
  const eraseAll = async () => {
    if ((await removeAll(items.length)) && form?.child) setForm(undefined);
  };
  const onSaved = ({ message, id, email }: Child & { message: string }) => {
    const codes = sendCodesAddress({ stageIds: [stay.id], children: [id] });
    say(message, form?.child || email === '' ? undefined : leading('Envoyer les codes', codes));
    void askAgain();
    // After an addition, opens a blank form for the next child.
    if (form?.child) close();
    else open();
  };
  return (
    <>
      <StayCard stay={stay} items={items} heading={heading} />
      {form && (
        <ChildForm
          key={form.key}
          stageId={stay.id}
          child={form.child}
          onSaved={onSaved}
          onClose={close}
          onOvertaken={askAgain}
        />
      )}
      {items.length > 0 ? (
        <>
          <div className="print:hidden">
            <ChildList
              stageId={stay.id}
              items={items}
              isBusy={isBusy || move.isBusy || consents.isBusy}
              beside={<TakeAway stay={stay} />}
              onAdd={() => openAfterQuestion()}
              onUpdate={openAfterQuestion}
              onDelete={erase}
              onMove={async (children) => {
                if (await move.ask(children)) closeFormOf(children);
              }}
              onConsent={async (children, consent) => {
                if (await consents.set(children, consent)) closeFormOf(children);
              }}
            />
          </div>
          <PrintedChildren title={stayLabel(stay, locale)} items={items} />
          <DeleteAll isBusy={isBusy} onAsked={eraseAll} />
        </>
      ) : (
        <p>
          <Button onClick={() => openAfterQuestion()}>Ajouter un enfant</Button>
        </p>
      )}
    </>
  );
}

interface StayCardProps {
  stay: NamedStay;
  items: readonly Child[];
  /** Takes the focus when the focused element is gone. */
  heading: RefObject<HTMLHeadingElement | null>;
}

function StayCard({ stay, items, heading }: StayCardProps) {
  const { locale } = useSite();
  const isNamedAbove = useOnlyStay() !== undefined;
  return (
    // The page of a stay has its name as title, and counts the children in the tab.
    <div className={!isNamedAbove ? 'card gap-1 p-5' : items.length > 0 ? 'sr-only' : ''}>
      <h2 ref={heading} tabIndex={-1} className={isNamedAbove ? 'sr-only' : 'text-xl wrap-anywhere'}>
        {isNamedAbove ? 'Enfants' : stay.nom_stage}
      </h2>
      {!isNamedAbove && (
        <p className="text-quiet first-letter:uppercase">{rangeOf(stay.date_debut, stay.date_fin, locale)}</p>
      )}
      <p role="status" className="font-semibold">
        {items.length > 0 ? countOf(items) : 'Aucun enfant pour le moment.'}
      </p>
      {items.length === 0 && (
        <p>
          <Link to={`${panelAddress('familles-importer')}&sejour=${stay.id}`}>Importez un fichier</Link> de
          familles, ou ajoutez les enfants un par un.
        </p>
      )}
    </div>
  );
}

function TakeAway({ stay }: { stay: NamedStay }) {
  const { isBusy, run } = useAction();
  const fetchList = () =>
    run(
      () => download('GET /stages/:id/enfants', { params: { id: stay.id } }),
      'Erreur lors du téléchargement de la liste',
    );
  return (
    <>
      <Link className="button quiet" to={writeAddress(stay.id)}>
        <Mail className="size-5" />
        Écrire aux familles
      </Link>
      <Button quiet onClick={() => window.print()}>
        <Printer className="size-5" />
        Imprimer
      </Button>
      <Button quiet aria-disabled={isBusy} onClick={fetchList}>
        <FileDown className="size-5" />
        Télécharger
      </Button>
    </>
  );
}

/** Moves children to a stay chosen in a dialog, and offers to move them back. `onGone`: the focused row may be gone. */
function useMove(stay: NamedStay, onGone: () => void) {
  const answers = useQueryClient();
  const { say } = useNotices();
  const { isBusy, run } = useAction(() => answers.invalidateQueries());
  const moveTo = async (children: readonly Child[], stageId: number) => {
    const ids = children.map(({ id }) => id);
    return (await call('POST /stagiaires/deplacer', { body: { ids, stageId } })).message;
  };
  const back = (children: readonly Child[]) =>
    run(async () => say(await moveTo(children, stay.id)), 'Erreur lors du changement de séjour');

  async function ask(children: readonly Child[]): Promise<boolean> {
    let target: number | undefined;
    let isMoved = false;
    const moveNow = async () => {
      const message = await moveTo(children, target ?? 0);
      isMoved = true;
      say(message, { label: 'Annuler', run: () => back(children) });
      onGone();
    };
    const [child, ...others] = children;
    await run(moveNow, 'Erreur lors du changement de séjour', {
      question:
        child && others.length === 0
          ? `Changer ${nameOf(child)} de séjour\u202f?`
          : `Changer de séjour\u202f: ${childrenIn(children.length)}\u202f?`,
      consequence: 'Leurs familles n’auront plus les bons codes\u202f: envoyez-leur ceux du nouveau séjour.',
      details: (
        <OtherStay
          left={stay.id}
          onChoose={(id) => {
            target = id;
          }}
        />
      ),
      obstacle: () => (target === undefined ? 'Veuillez sélectionner un séjour.' : undefined),
      yes: 'Changer de séjour',
    });
    return isMoved;
  }
  return { isBusy, ask };
}

const FAILED = 'Erreur lors de la mise à jour';

/** Writes the same answer about pictures for some children, and offers to take it back. */
function useConsents(stay: NamedStay) {
  const { say } = useNotices();
  const { isBusy, run } = useAction(useChildrenAgain(stay.id));
  const write = (ids: number[], consentement_image: Consent) =>
    call('POST /stagiaires/droit-image', { body: { ids, consentement_image } });
  const set = (children: readonly Child[], consent: Consent) =>
    run(async () => {
      const { message, avant } = await write(
        children.map(({ id }) => id),
        consent,
      );
      const back = () =>
        run(async () => {
          for (const { ids, consentement_image } of avant) await write(ids, consentement_image);
          say('Droit à l’image remis comme avant');
        }, FAILED);
      say(message, avant.length > 0 ? { label: 'Annuler', run: back } : undefined);
    }, FAILED);
  return { isBusy, set };
}

function OtherStay({ left, onChoose }: { left: number; onChoose(id: number | undefined): void }) {
  const query = useQuestion(STAYS);
  const others = (query.data ?? []).filter(({ id }) => id !== left);
  return (
    <SelectField
      label="Nouveau séjour"
      name="nouveau"
      isRequired
      onChoose={(value) => onChoose(Number(value) || undefined)}
    >
      <option value="">Choisissez…</option>
      <StayOptions stays={others} />
    </SelectField>
  );
}

/** Deletes children of a stay, or all, after a confirmation. `onGone`: the focused element may be gone. */
function useDeletions(stay: NamedStay, onGone: () => void) {
  const { locale } = useSite();
  const { say } = useNotices();
  const { isBusy, run } = useAction(useChildrenAgain(stay.id));

  const erase = (work: () => Promise<{ message: string }>, wish: Wish) =>
    run(
      async () => {
        say((await work()).message);
        onGone();
      },
      'Erreur lors de la suppression',
      wish,
    );

  return {
    isBusy,
    /** Deletes these children; true when all were deleted, else none was. */
    remove: (children: readonly Child[]): Promise<boolean> => {
      const [first, ...others] = children;
      const eraseAll = () =>
        first && others.length === 0
          ? call('DELETE /stagiaire/delete/:id', { params: { id: first.id } })
          : call('POST /stagiaires/effacer', { body: { ids: children.map(({ id }) => id) } });
      return erase(eraseAll, {
        question: `Supprimer ${first && others.length === 0 ? nameOf(first) : childrenIn(others.length + 1)} de ce séjour\u202f?`,
        consequence:
          others.length === 0
            ? 'L’enfant et les adresses de sa famille seront effacés définitivement.'
            : 'Les enfants et les adresses de leurs familles seront effacés définitivement.',
        yes: 'Supprimer',
      });
    },
    removeAll(count: number): Promise<boolean> {
      const { nom_stage: sejour, date_debut: dateDebut, date_fin: dateFin } = stay;
      return erase(() => call('DELETE /deletePaxBySejour', { body: { sejour, dateDebut, dateFin } }), {
        question: 'Êtes-vous sûr de vouloir supprimer tous les stagiaires pour ce séjour ?',
        consequence: `${stayLabel(stay, locale)}. Seront effacés définitivement\u202f: ${childrenIn(count)}, avec les adresses des familles.`,
        yes: 'Supprimer',
        word: 'SUPPRIMER',
      });
    },
  };
}

/** The chosen stay, with the fields that staff see. */
function useStay(stageId: number) {
  const query = useQuestion(stayQuestion(stageId));
  return query as UseQueryResult<ManagedStay>;
}

/** The children of a stay, with the fields that staff see; directors see fewer. */
function useChildren(stageId: number) {
  const query = useQuestion(childrenQuestion(stageId));
  return query as UseQueryResult<Child[]>;
}

const useChildrenAgain = (stageId: number) =>
  useAskAgain(
    childrenQuestion(stageId),
    { key: 'GET /stages-suivi' },
    { key: 'GET /preparation' },
    { key: 'GET /preparation', query: { stageId } },
    { key: 'GET /tableau-de-bord' },
  );

function DeleteAll({ isBusy = false, onAsked }: { isBusy?: boolean; onAsked(): void }) {
  return (
    <Section title="Après la saison" className="mt-6 border-t border-mist pt-6" look="text-xl">
      <p className="mt-2 mb-4 text-quiet">
        Effacez les enfants d’un séjour et les adresses de leurs familles dès qu’ils ne servent plus. Le
        séjour reste.
      </p>
      <Button danger aria-disabled={isBusy} onClick={onAsked}>
        Supprimer tous les enfants de ce séjour
      </Button>
    </Section>
  );
}
