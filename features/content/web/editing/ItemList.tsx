import { useQueryClient } from '@tanstack/react-query';
import { Eye, FileText, Trash2, Undo2 } from 'lucide-react';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { CallError } from '#platform/web/api.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { focusContent } from '#platform/web/ui/dialogs.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Picture } from '#platform/web/ui/Picture.tsx';
import { RecordList } from '#platform/web/ui/RecordList.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { genreOf, type ItemKind, titleOf } from '../../shared/kinds.ts';
import { BIN_DAYS } from '../../shared/limits.ts';
import {
  type AnyItem,
  comingText,
  deleteItem,
  ITEM_STATES,
  type ItemState,
  pictureOf,
  publicationOf,
  restoreItem,
  useDeletion,
} from './useItems.ts';

/** An item of the list; `deletedOn` is set for one in the bin, of which only the title is known. */
interface ListedItem {
  id: number;
  title: string;
  state: ItemState;
  item: AnyItem | undefined;
  deletedOn: string | undefined;
}

/** Every item of a kind, those in the bin included, with what can be done with one or with several. */
export function ItemList({ kind, items }: { kind: ItemKind; items: readonly AnyItem[] }) {
  const { locale } = useSite();
  const bin = useQuestion({ key: 'GET /corbeille' });
  const listed = [
    ...items.map((item): ListedItem => {
      const state = publicationOf(item);
      return { id: item.id, title: titleOf(kind, item), state, item, deletedOn: undefined };
    }),
    ...(bin.data ?? []).flatMap(({ genre, id, titre, supprime_le }): ListedItem[] =>
      genre === genreOf(kind)
        ? [{ id, title: titre, state: 'deleted', item: undefined, deletedOn: supprime_le }]
        : [],
    ),
  ];
  const plural = kind.plural.toLowerCase();
  if (listed.length === 0) return null;
  return (
    <RecordList
      label="Liste"
      items={listed}
      nouns={[kind.label.toLowerCase(), plural]}
      searchLabel="Filtrer la liste"
      isPrivate={!kind.hasWindow}
      textOf={({ title, item }) => [title, kind.qualifiedBy && item?.[kind.qualifiedBy]].join(' ')}
      nameOf={({ title }) => title}
      parts={[
        { key: '', label: 'Tout', has: ({ state }) => state !== 'deleted' },
        ...(Object.entries(ITEM_STATES) as [ItemState, string][]).flatMap(([state, label]) =>
          kind.hasWindow || state === 'deleted'
            ? [{ key: PART_KEYS[state], label, has: (one: ListedItem) => one.state === state }]
            : [],
        ),
      ]}
      ownOrder={kind.hasWindow ? 'Dans l’ordre du site' : 'Par nom'}
      orders={[
        {
          key: 'titre',
          label: 'De A à Z',
          compare: (one, other) => one.title.localeCompare(other.title, locale),
        },
        {
          key: 'ancien',
          label: 'Ajoutés en premier d’abord',
          compare: (one, other) => one.id - other.id,
        },
      ]}
      row={(one) =>
        one.item ? (
          <ItemRow kind={kind} item={one.item} title={one.title} state={one.state} />
        ) : (
          <DeletedRow kind={kind} id={one.id} title={one.title} deletedOn={one.deletedOn ?? ''} />
        )
      }
      onTicked={(ticked, untick) => <TickedItems kind={kind} ticked={ticked} untick={untick} />}
    />
  );
}

const PART_KEYS: Record<ItemState, string> = {
  draft: 'brouillons',
  coming: 'programmes',
  online: 'publies',
  over: 'termines',
  deleted: 'corbeille',
};

interface ItemRowProps {
  kind: ItemKind;
  item: AnyItem;
  title: string;
  state: ItemState;
}

function ItemRow({ kind, item, title, state }: ItemRowProps) {
  const { locale, timeZone } = useSite();
  const { isBusy, remove } = useDeletion(kind);
  const seenAt = state === 'online' ? kind.byId.seenAt : undefined;
  return (
    <>
      {kind.picture && <Thumbnail kind={kind} item={item} />}
      <div className="record-main">
        <Link className="row-open" to={`${kind.byId.page}/${item.id}`}>
          {title || 'Sans titre'}
        </Link>
        <p className="text-sm text-quiet">{factsOf(kind, item, locale, timeZone)}</p>
      </div>
      {kind.hasWindow && <StateLabel state={state} />}
      <div className="record-actions">
        {kind.pdf && (
          <a
            className="round-button"
            href={`/api/${kind.folder}/${item[kind.pdf.column]}`}
            target="_blank"
            rel="noopener"
            title="Voir le PDF"
            aria-label={`Ouvrir le PDF\u202f: ${title} (nouvel onglet)`}
          >
            <FileText className="size-5" />
          </a>
        )}
        {seenAt && (
          <Link
            className="round-button"
            to={`${seenAt}${item.id}`}
            title="Voir sur le site"
            aria-label={`Voir ${title} sur le site`}
          >
            <Eye className="size-5" />
          </Link>
        )}
        <button
          type="button"
          className="round-button ml-2 sm:ml-6"
          title="Mettre à la corbeille"
          aria-label={`Mettre ${title} à la corbeille`}
          aria-disabled={isBusy}
          onClick={() => remove(item, () => {})}
        >
          <Trash2 className="size-5" />
        </button>
      </div>
    </>
  );
}

function StateLabel({ state }: { state: ItemState }) {
  const isAwaited = state === 'draft' || state === 'coming';
  return <span className={isAwaited ? 'state awaited' : 'state'}>{ITEM_STATES[state]}</span>;
}

function Thumbnail({ kind, item }: { kind: ItemKind; item: AnyItem }) {
  const picture = pictureOf(kind, item);
  if (!picture) return <span className="record-picture bg-mist" />;
  return (
    <Picture
      illustration={picture}
      folder={addressOfFolder(kind.folder)}
      sizes="64px"
      fit={kind.table === 'logos' ? 'contain' : 'cover'}
      alt=""
      className="record-picture"
    />
  );
}

/** What tells one item from another: a person's post, the date of the meeting or of the event, that of publication. */
export function factsOf(kind: ItemKind, item: AnyItem, locale: string, timeZone: string): string {
  if (kind.qualifiedBy) return String(item[kind.qualifiedBy]);
  const [name = '', field] =
    Object.entries(kind.fields).find(([, { type }]) => type === 'day' || type === 'moment') ?? [];
  // Days and wall-clock times have no time zone of their own.
  const own = item[name] && dayOf(String(item[name]), locale, 'UTC');
  const dated = own && (field?.type === 'day' ? `Daté du ${own}` : `Le ${own}`);
  const coming = comingText(item, { locale, timeZone });
  if (dated || coming) return [dated, coming].filter(Boolean).join(' · ');
  if (publicationOf(item) === 'draft') return `Commencé le ${dayOf(item.created_at, locale, timeZone)}`;
  const since = dayOf(item.date_publication ?? item.created_at, locale, timeZone);
  return `Publié le ${since}`;
}

interface DeletedRowProps {
  kind: ItemKind;
  id: number;
  title: string;
  deletedOn: string;
}

function DeletedRow({ kind, id, title, deletedOn }: DeletedRowProps) {
  const { locale, timeZone } = useSite();
  const { isBusy, restore } = useDeletion(kind, focusContent);
  return (
    <>
      <div className="record-main">
        <p className="font-semibold">{title}</p>
        <p className="text-sm text-quiet">Dans la corbeille depuis le {dayOf(deletedOn, locale, timeZone)}</p>
      </div>
      <StateLabel state="deleted" />
      <Button quiet aria-label={`Restaurer : ${title}`} aria-disabled={isBusy} onClick={() => restore(id)}>
        <Undo2 className="size-5" />
        Restaurer
      </Button>
    </>
  );
}

interface TickedItemsProps {
  kind: ItemKind;
  ticked: readonly ListedItem[];
  untick(): void;
}

function TickedItems({ kind, ticked, untick }: TickedItemsProps) {
  const answers = useQueryClient();
  const { say } = useNotices();
  const { isBusy, run } = useAction(() => answers.invalidateQueries());
  const isInBin = ticked.some(({ state }) => state === 'deleted');
  const each = async (
    work: (id: number) => Promise<unknown>,
    what: string,
    undo?: (ids: readonly number[]) => void,
  ) => {
    const done: number[] = [];
    for (const { id } of ticked) {
      try {
        await work(id);
        done.push(id);
      } catch (error) {
        // Somebody else was faster, with this one alone.
        if (!(error instanceof CallError && [404, 409].includes(error.status))) throw error;
      }
    }
    const left = ticked.length - done.length;
    const others = left > 0 ? ` sur ${ticked.length}, le reste avait déjà changé` : '';
    say(`${what}\u202f: ${done.length}${others}.`, undo && { label: 'Annuler', run: () => undo(done) });
    untick();
    // The button goes with the ticks.
    focusContent();
  };
  const takeBack = (ids: readonly number[]) =>
    run(async () => {
      for (const id of ids) await restoreItem(kind, id);
    }, 'Erreur lors de la restauration');
  if (ticked.length === 0) return null;
  const count = `${ticked.length} ${(ticked.length > 1 ? kind.plural : kind.label).toLowerCase()}`;
  if (isInBin) {
    return (
      <Button
        quiet
        aria-disabled={isBusy}
        onClick={() =>
          run(() => each((id) => restoreItem(kind, id), 'De retour'), 'Erreur lors de la restauration')
        }
      >
        <Undo2 className="size-5" />
        Restaurer
      </Button>
    );
  }
  return (
    <Button
      danger
      className="ml-auto"
      aria-disabled={isBusy}
      onClick={() =>
        run(
          () => each((id) => deleteItem(kind, id), 'À la corbeille', takeBack),
          'Erreur lors de la suppression',
          {
            question: `Mettre à la corbeille\u202f: ${count}\u202f?`,
            consequence: `Ce qui y est peut en revenir pendant ${BIN_DAYS} jours. ${kind.texts.consequence ?? ''}`,
            yes: 'Mettre à la corbeille',
          },
        )
      }
    >
      <Trash2 className="size-5" />
      Mettre à la corbeille
    </Button>
  );
}
