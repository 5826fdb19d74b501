import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { useCameFrom } from '#platform/web/history.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { answerKey, useQuestion, useThing } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { SelectField } from '#platform/web/ui/Field.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState, LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { excerpt } from '#platform/web/ui/texts.ts';
import { useRequiredChoice } from '#platform/web/ui/useForm.ts';
import { type ItemKind, minutes, titleOf } from '../../shared/kinds.ts';
import { ContentForm } from './ContentForm.tsx';
import { factsOf, ItemList } from './ItemList.tsx';
import {
  type AnyItem,
  comingText,
  itemIn,
  itemQuestion,
  listQuestion,
  publicationOf,
  useDeletion,
} from './useItems.ts';

/** The form for a new item of a kind. After a save it is empty again, for the next one. */
export function CreatePanel({ kind, title }: { kind: ItemKind; title: string }) {
  const [count, setCount] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const saySaved = useSaySaved(kind);
  const navigate = useNavigate();

  function onSaved(saved: Saved): void {
    const { page } = kind.byId;
    saySaved(saved, page);
    if (publicationOf(saved) === 'draft') {
      navigate(`${page}/${saved.id}`);
      return;
    }
    setCount(count + 1);
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

type Saved = AnyItem & { message: string; conseil?: string };

/** Returns a function that says what was saved, and where visitors see it, or from when on; `here`: where one is by then. */
function useSaySaved(kind: ItemKind) {
  const { say } = useNotices();
  const answers = useQueryClient();
  const navigate = useNavigate();
  const site = useSite();
  return ({ message, conseil, ...item }: Saved, here: string) => {
    answers.invalidateQueries();
    const { page, seenAt } = kind.byId;
    const isOnline = publicationOf(item) === 'online';
    const to = isOnline ? seenAt && `${seenAt}${item.id}` : `${page}/${item.id}`;
    const label = isOnline ? 'Voir sur le site' : 'Revoir ses dates';
    const hasLink = to !== undefined && to !== here && publicationOf(item) !== 'draft';
    const where = publicationOf(item) === 'over' ? 'Hors ligne pour le moment' : comingText(item, site);
    const detail = [where, conseil].filter(Boolean).join('. ');
    say(message, hasLink ? { label, run: () => navigate(to) } : undefined, detail || undefined);
  };
}

/** Lists, and other panels than forms and the two steps of the specification, which says where those end. */
const LIST = /^\/portail\?panneau=(?!\w+-(creer|modifier|supprimer)\b)/;

/**
 * Returns a function that leaves the form of an item that was saved, or deleted, for where the specification says, or for the
 * list or the page of the item that led here, as it was; it returns the address where one is by then.
 */
function useLeaving({ byId: { seenAt, leadsTo } }: ItemKind) {
  const here = useLocation().pathname;
  const from = useCameFrom() ?? '';
  const navigate = useNavigate();
  const [isBack, setBack] = useState(false);
  useEffect(() => {
    if (!isBack) return;
    // By now the form is no longer unsaved, which would ask before it is left.
    setBack(false);
    navigate(-1);
  }, [isBack, navigate]);
  return (item: AnyItem, isSeen: boolean): string => {
    if (LIST.test(from) || (isSeen && from === `${seenAt}${item.id}`)) {
      setBack(true);
      return from;
    }
    if (leadsTo) navigate(leadsTo);
    return leadsTo ?? here;
  };
}

interface KindPanelProps {
  kind: ItemKind;
  /** Link to the panel that creates an item. */
  creation: { to: string; label: string };
}

/** Every item of a kind in a list, and the way to a new one. */
export function ListPanel({ kind, creation }: KindPanelProps) {
  const query = useQuestion(listQuestion(kind));
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1>{kind.plural}</h1>
        <Link className="button" to={creation.to}>
          <Plus className="size-5" />
          {creation.label}
        </Link>
      </div>
      <ListState<AnyItem> query={query} failed={FAILED} empty="Rien ici pour le moment.">
        {(items) => <ItemList kind={kind} items={items} />}
      </ListState>
      {query.data?.length === 0 && <ItemList kind={kind} items={[]} />}
      {kind === minutes && (
        <p className="well mt-8 max-w-3xl">
          Les salariés lisent les comptes rendus avec un mot de passe, qui se voit et se change dans les{' '}
          <Link to={panelAddress('reglages')}>Réglages</Link>.
        </p>
      )}
    </>
  );
}

const FAILED = 'La liste n’a pas pu être chargée.';

/** The two steps of the specification: an item chosen by its name, then its form or its deletion. */
export function ChoosePanel({ kind, title, creation }: KindPanelProps & { title: string }) {
  const query = useQuestion(listQuestion(kind));
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
      <ListState<AnyItem> query={query} failed={FAILED} empty={empty}>
        {(items) => <ItemChoice kind={kind} items={items} />}
      </ListState>
    </>
  );
}

function ItemChoice({ kind, items }: { kind: ItemKind; items: AnyItem[] }) {
  const choice = useRequiredChoice(items, useState<number>(), kind.texts.nothingChosen);
  const navigate = useNavigate();
  const { isBusy, remove } = useDeletion(kind);
  const { locale, timeZone } = useSite();
  return (
    <div ref={choice.place} className="well flex max-w-3xl flex-col gap-4">
      <SelectField
        label={kind.label}
        name="element"
        isRequired
        error={choice.error}
        value={choice.chosen?.id ?? ''}
        onChoose={(value) => choice.choose(items.find(({ id }) => String(id) === value))}
      >
        <option value="">Choisissez…</option>
        {items.map((item) => (
          <option key={item.id} value={item.id}>
            {nameOf(kind, item)}
            {item.date_publication && ` — ${factsOf(kind, item, locale, timeZone)}`}
          </option>
        ))}
      </SelectField>
      <div className="flex flex-wrap justify-between gap-4">
        <Button onClick={() => choice.withChosen(({ id }) => navigate(`${kind.byId.page}/${id}`))}>
          Modifier
        </Button>
        <Button
          danger
          aria-disabled={isBusy}
          onClick={() => choice.withChosen((item) => remove(item, () => choice.choose(undefined)))}
        >
          Supprimer
        </Button>
      </div>
    </div>
  );
}

/** Maximum length in characters of a title in the dropdown, so that the date after it stays visible. */
const LABEL = 60;

function nameOf(kind: ItemKind, item: AnyItem): string {
  const names = [titleOf(kind, item), kind.qualifiedBy && String(item[kind.qualifiedBy])];
  return names.flatMap((name) => (name ? [excerpt(name, LABEL)] : [])).join(' — ');
}

/** The page with the form of one item: `/actu-modify/{id}` and the like. */
export function ModifyPage({ kind }: { kind: ItemKind }) {
  const { id = '' } = useParams();
  /** Raised to read the item again. */
  const [turn, setTurn] = useState(0);
  return (
    <>
      <h1 className="mb-6">{kind.byId.title}</h1>
      <LoadedItem key={`${id} ${turn}`} kind={kind} id={id} onRestored={() => setTurn(turn + 1)} />
    </>
  );
}

function LoadedItem({ kind, id, onRestored }: { kind: ItemKind; id: string; onRestored(): void }) {
  const answers = useQueryClient();
  const question = itemQuestion(kind, id);
  const query = useThing(question, { isFresh: true });
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
  const here = useLocation().pathname;
  const saySaved = useSaySaved(kind);
  const leave = useLeaving(kind);
  const { isBusy, remove, restore } = useDeletion(kind, onRestored);

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
        const state = publicationOf(saved);
        setItem(saved);
        saySaved(saved, state === 'draft' ? here : leave(saved, state === 'online'));
      }}
      danger={
        <Button
          danger
          aria-disabled={isBusy}
          onClick={() => remove(item, () => setDeleted(leave(item, false) === here))}
        >
          Supprimer
        </Button>
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
      <Button ref={button} className="mt-4" aria-disabled={isBusy} onClick={onRestore}>
        Restaurer
      </Button>
    </div>
  );
}
