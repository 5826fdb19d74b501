import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { type ItemKind, titleOf } from '#features/content/shared/kind.ts';
import { folded } from '#platform/shared/fold.ts';
import { answerKey, useQuestion, useThing } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { SelectField } from '#platform/web/ui/Field.tsx';
import { ListState, LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { SearchBox } from '#platform/web/ui/SearchBox.tsx';
import { dayOf, excerpt } from '#platform/web/ui/texts.ts';
import { ContentForm } from './ContentForm.tsx';
import {
  type AnyItem,
  type Choice,
  itemIn,
  itemQuestion,
  listQuestion,
  publicationOf,
  useChoice,
  useDeletion,
} from './useItems.ts';

/** The form for a new item of a kind. After a save it is empty again, for the next one. */
export function CreatePanel({ kind, title }: { kind: ItemKind; title: string }) {
  const [count, setCount] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const { say } = useNotices();
  const answers = useQueryClient();
  const navigate = useNavigate();

  function onSaved({ message, ...item }: AnyItem & { message: string }): void {
    const { id } = item;
    const isSeen = publicationOf(item) === 'online';
    const page = kind.byId && (isSeen ? `${kind.byId.seenAt}${id}` : `${kind.byId.page}/${id}`);
    const label = isSeen ? 'Voir sur le site' : 'Hors ligne pour le moment\u202f: revoir ses dates';
    say(message, page ? { label, run: () => navigate(page) } : undefined);
    setCount(count + 1);
    answers.invalidateQueries();
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="mb-6">
        {title}
      </h1>
      <ContentForm
        key={count}
        kind={kind}
        submitLabel={kind.hasWindow ? 'Publier' : 'Ajouter'}
        failure="Erreur lors de la création"
        onSaved={onSaved}
      />
    </>
  );
}

interface ModifyPanelProps {
  kind: ItemKind;
  title: string;
  /** Link to the panel that creates an item, for an empty list. */
  creation: { to: string; label: string };
}

/** The first of two steps: choosing an item; its form or its deletion follows. */
export function ModifyPanel({ kind, title, creation }: ModifyPanelProps) {
  const query = useQuestion(listQuestion(kind), `Erreur lors de la récupération (${kind.plural}):`);
  const empty = (
    <>
      Rien à modifier pour le moment.
      <Link className="button mt-3 flex w-fit" to={creation.to}>
        {creation.label}
      </Link>
    </>
  );
  return (
    <>
      <h1 className="mb-6">{title}</h1>
      <ListState query={query} failed="La liste n’a pas pu être chargée." empty={empty}>
        {(items) => <ItemChoice kind={kind} items={items as unknown as AnyItem[]} />}
      </ListState>
    </>
  );
}

function ItemChoice({ kind, items }: { kind: ItemKind; items: AnyItem[] }) {
  const choice = useChoice(kind, items);
  const navigate = useNavigate();
  return (
    <div ref={choice.place} className="flex flex-col gap-6">
      <ItemSelect kind={kind} items={items} choice={choice} />
      <div className="flex flex-wrap justify-between gap-4">
        <button
          type="button"
          className="button"
          onClick={() => choice.withChosen(({ id }) => navigate(`${kind.byId?.page}/${id}`))}
        >
          Modifier
        </button>
        <DeleteChosen kind={kind} choice={choice} />
      </div>
    </div>
  );
}

/** The page with the form of one item: `/actu-modify/{id}` and the like. */
export function ModifyPage({ kind }: { kind: ItemKind }) {
  const { id = '' } = useParams();
  /** Raised to read the item again. */
  const [turn, setTurn] = useState(0);
  return (
    <>
      <h1 className="mb-6">{kind.byId?.title}</h1>
      <LoadedItem key={`${id} ${turn}`} kind={kind} id={id} onRestored={() => setTurn(turn + 1)} />
    </>
  );
}

function LoadedItem({ kind, id, onRestored }: { kind: ItemKind; id: string; onRestored(): void }) {
  const answers = useQueryClient();
  const question = itemQuestion(kind, id);
  const query = useThing(question, `Erreur lors de la récupération (${kind.label}):`, { isFresh: true });
  const forget = () => {
    answers.removeQueries({ queryKey: answerKey(question, { isFresh: true }) });
    onRestored();
  };
  return (
    <LoadState query={query} failed="Le formulaire n’a pas pu être chargé.">
      {(answer) => <ItemForm kind={kind} first={itemIn(answer)} onRestored={forget} />}
    </LoadState>
  );
}

interface ItemFormProps {
  kind: ItemKind;
  first: AnyItem | undefined;
  onRestored(): void;
}

function ItemForm({ kind, first, onRestored }: ItemFormProps) {
  const [item, setItem] = useState(first);
  const [isDeleted, setDeleted] = useState(false);
  const answers = useQueryClient();
  const navigate = useNavigate();
  const { say } = useNotices();
  const { isBusy, remove, restore } = useDeletion(kind, onRestored);
  const leadsTo = kind.byId?.leadsTo;

  if (!item) return <p className="well">{kind.texts.notFound}</p>;
  if (isDeleted) return <DeletedItem isBusy={isBusy} onRestore={() => restore(item.id)} />;
  return (
    <ContentForm
      key={item.version}
      kind={kind}
      item={item}
      submitLabel="Modifier"
      failure="Erreur lors de la modification"
      onSaved={(saved) => {
        say(saved.message);
        setItem(saved);
        answers.invalidateQueries();
        if (leadsTo) navigate(leadsTo);
      }}
      danger={
        <button
          type="button"
          className="button danger"
          aria-disabled={isBusy}
          onClick={() => remove(item, () => (leadsTo ? navigate(leadsTo) : setDeleted(true)))}
        >
          Supprimer
        </button>
      }
    />
  );
}

function DeletedItem({ isBusy, onRestore }: { isBusy: boolean; onRestore(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  // The form has disappeared, and the focused element with it.
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <div className="well">
      <p>Cet élément est dans la corbeille.</p>
      <button ref={button} type="button" className="button mt-4" aria-disabled={isBusy} onClick={onRestore}>
        Restaurer
      </button>
    </div>
  );
}

/** The button under a dropdown that deletes the chosen item. */
export function DeleteChosen({ kind, choice }: { kind: ItemKind; choice: Choice }) {
  const { isBusy, remove } = useDeletion(kind);
  return (
    <button
      type="button"
      className="button danger"
      aria-disabled={isBusy}
      onClick={() => choice.withChosen((item) => remove(item, () => choice.choose(undefined)))}
    >
      Supprimer
    </button>
  );
}

/** Maximum length in characters of a title in the dropdown, so that the date after it stays visible. */
const LABEL = 60;
/** Number of items above which a filter is shown. */
const WORTH_FILTERING = 12;

/** Dropdown of a kind’s items, newest first, with a filter when there are many. */
export function ItemSelect({ kind, items, choice }: { kind: ItemKind; items: AnyItem[]; choice: Choice }) {
  const { locale, timeZone } = useSite();
  const [filter, setFilter] = useState('');
  const shown = items.filter((item) => folded(nameOf(kind, item)).includes(folded(filter)));
  return (
    <>
      {items.length > WORTH_FILTERING && (
        <SearchBox
          label="Filtrer la liste"
          value={filter}
          onType={(text) => {
            setFilter(text);
            choice.choose(undefined);
          }}
        />
      )}
      <SelectField
        label={kind.label}
        name="element"
        isRequired
        help={
          shown.length > 0
            ? `${shown.length} dans la liste.`
            : `Rien dans la liste ne contient «\u00a0${filter}\u00a0».`
        }
        error={choice.error}
        value={choice.chosen?.id ?? ''}
        onChoose={(value) => choice.choose(items.find(({ id }) => String(id) === value))}
      >
        <option value="">Choisissez…</option>
        {shown.map((item) => (
          <option key={item.id} value={item.id}>
            {nameOf(kind, item)}
            {item.date_publication &&
              ` — ${STATES[publicationOf(item)]} ${dayOf(item.date_publication, locale, timeZone)}`}
          </option>
        ))}
      </SelectField>
    </>
  );
}

function nameOf(kind: ItemKind, item: AnyItem): string {
  const names = [titleOf(kind, item), kind.qualifiedBy && String(item[kind.qualifiedBy])];
  return names.flatMap((name) => (name ? [excerpt(name, LABEL)] : [])).join(' — ');
}

const STATES = { over: 'terminé, publié le', coming: 'programmé pour le', online: 'publié le' };
