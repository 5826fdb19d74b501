import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
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
import { type AnyItem, itemIn, itemQuestion, listQuestion, publicationOf, useDeletion } from './useItems.ts';

/** The form for a new item of a kind. After a save it is empty again, for the next one. */
export function CreatePanel({ kind, title }: { kind: ItemKind; title: string }) {
  const [count, setCount] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const { say } = useNotices();
  const answers = useQueryClient();
  const navigate = useNavigate();

  function onSaved({ message, ...item }: AnyItem & { message: string }): void {
    const { page, seenAt } = kind.byId;
    const form = `${page}/${item.id}`;
    const state = publicationOf(item);
    answers.invalidateQueries();
    if (state === 'draft') {
      say(message);
      navigate(form);
      return;
    }
    if (state !== 'online')
      say(message, { label: 'Hors ligne pour le moment\u202f: revoir ses dates', run: () => navigate(form) });
    else if (seenAt) say(message, { label: 'Voir sur le site', run: () => navigate(`${seenAt}${item.id}`) });
    else say(message);
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
  const answers = useQueryClient();
  const navigate = useNavigate();
  const { say } = useNotices();
  const { isBusy, remove, restore } = useDeletion(kind, onRestored);
  const leadsTo = kind.byId.leadsTo;

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
        const { seenAt } = kind.byId;
        const isSeen = seenAt !== undefined && publicationOf(saved) === 'online';
        say(
          saved.message,
          isSeen ? { label: 'Voir sur le site', run: () => navigate(`${seenAt}${saved.id}`) } : undefined,
        );
        setItem(saved);
        answers.invalidateQueries();
        if (leadsTo && publicationOf(saved) !== 'draft') navigate(leadsTo);
      }}
      danger={
        <Button
          danger
          aria-disabled={isBusy}
          onClick={() => remove(item, () => (leadsTo ? navigate(leadsTo) : setDeleted(true)))}
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
