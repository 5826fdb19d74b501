import { FileText } from 'lucide-react';
import { type ReactElement, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { nameKey } from '#platform/shared/fold.ts';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useConfirm, useUnsaved } from '#platform/web/ui/dialogs.tsx';
import { SubmitButton } from '#platform/web/ui/Field.tsx';
import { PdfField, SendingBar } from '#platform/web/ui/FileZone.tsx';
import { PDFS, useFileChoice } from '#platform/web/ui/files.ts';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState, LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useAction, useForm } from '#platform/web/ui/useForm.ts';
import { bookletName } from '../../shared/terms.ts';
import { StaySelect } from '../StaySelect.tsx';
import { useOnlyStay } from '../stayPage.tsx';
import { BOOKLETS, type Booklet, type NamedStay, STAYS, stayAddress, stayLabel } from '../stays.ts';

const FAILED = 'Les livrets n’ont pas pu être chargés.';

/** Panel of the PDF files that families and directors can open from their page, for all stays or for one. */
export function BookletsPanel() {
  const { query, title, onGone } = useBooklets();
  return (
    <div className="max-w-3xl">
      <h1>Livrets</h1>
      <p className="mt-3 mb-6 text-quiet">
        Les familles et les directeurs de tous les séjours ouvrent ces fichiers depuis leur page. Le nom du
        fichier est celui qu’ils lisent. Pour que ceux d’un seul séjour l’ouvrent, choisissez ce séjour.
      </p>
      <SendBooklet booklets={query.data ?? []} />
      <Online title={title}>
        <ListState query={query} failed={FAILED} empty="Il n’y a pas encore de livret.">
          {(booklets) => (
            <BookletList>
              {booklets.map((booklet) => (
                <BookletItem key={booklet.nom} booklet={booklet} onGone={onGone} />
              ))}
            </BookletList>
          )}
        </ListState>
      </Online>
    </div>
  );
}

/** The booklets of one stay, and those for all stays, which are only changed in their panel. */
export function BookletsOfStay() {
  const { query, title, onGone } = useBooklets();
  const only = useOnlyStay();
  return (
    <>
      <p className="mt-3 mb-6 text-quiet">
        Les familles et les directeurs de ce séjour ouvrent ces fichiers depuis leur page. Le nom du fichier
        est celui qu’ils lisent.
      </p>
      <SendBooklet booklets={query.data ?? []} />
      <Online title={title}>
        <LoadState query={query} failed={FAILED}>
          {(booklets) => {
            const own = booklets.filter(({ sejour }) => sejour?.id === only);
            const common = booklets.filter(({ sejour }) => sejour === null);
            return (
              <>
                <h3 className="mb-2">Pour ce séjour</h3>
                {own.length === 0 && <p className="text-quiet">Aucun livret pour ce séjour.</p>}
                <BookletList>
                  {own.map((booklet) => (
                    <BookletItem key={booklet.nom} booklet={booklet} onGone={onGone} />
                  ))}
                </BookletList>
                <h3 className="mt-8 mb-2">Pour tous les séjours</h3>
                {common.length === 0 && <p className="text-quiet">Aucun livret pour tous les séjours.</p>}
                <BookletList>
                  {common.map(({ nom }) => (
                    <li key={nom} className="flex border-b border-mist py-3">
                      <BookletLink name={nom} />
                    </li>
                  ))}
                </BookletList>
                <p className="mt-2">
                  <Link className="inline-flex min-h-11 items-center" to={panelAddress('livrets')}>
                    Gérer les livrets de tous les séjours
                  </Link>
                </p>
              </>
            );
          }}
        </LoadState>
      </Online>
    </>
  );
}

/** All booklets, and the title of their list, which takes the focus when one leaves it. */
function useBooklets() {
  const query = useQuestion(BOOKLETS);
  const title = useRef<HTMLHeadingElement>(null);
  return { query, title, onGone: () => title.current?.focus({ preventScroll: true }) };
}

function Online({ title, children }: { title: RefObject<HTMLHeadingElement | null>; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-12 border-t border-mist pt-8">
      <h2 id={id} ref={title} tabIndex={-1} className="mb-4">
        Livrets en ligne
      </h2>
      {children}
    </section>
  );
}

function BookletList({ children }: { children: ReactElement[] }) {
  return children.length > 0 && <ul className="border-t border-mist">{children}</ul>;
}

function BookletLink({ name }: { name: string }) {
  return (
    <a
      href={`${addressOfFolder('doc_stage_formateur')}${encodeURIComponent(name)}`}
      target="_blank"
      rel="noopener"
      className="flex min-h-11 items-center gap-3 font-semibold wrap-anywhere"
    >
      <FileText className="size-6 shrink-0 text-pine" />
      <span>
        {name}
        <span className="sr-only"> (nouvel onglet)</span>
      </span>
    </a>
  );
}

interface BookletItemProps {
  booklet: Booklet;
  /** Called when the booklet is about to leave the list, together with the focused button. */
  onGone(): void;
}

function BookletItem({ booklet: { nom: name, sejour }, onGone }: BookletItemProps) {
  const { locale } = useSite();
  const only = useOnlyStay();
  const { say } = useNotices();
  const { isBusy, run } = useAction(useAskAgain(BOOKLETS));
  const remove = async () => {
    say((await call('DELETE /livrets/:name', { params: { name } })).message);
    onGone();
  };
  const onRemove = () =>
    run(remove, 'Erreur lors de la suppression', {
      question: `Supprimer le livret «\u00a0${name}\u00a0»\u202f?`,
      consequence:
        'Il sera effacé définitivement\u202f: les familles et les directeurs ne pourront plus l’ouvrir.',
      yes: 'Supprimer',
    });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-mist py-3">
      <div className="grow basis-60">
        <BookletLink name={name} />
        {sejour && only === undefined && (
          <p className="pl-9 text-sm leading-6 text-quiet wrap-anywhere">
            Pour <Link to={stayAddress(sejour.id, 'livrets')}>{stayLabel(sejour, locale)}</Link>
          </p>
        )}
      </div>
      <Button danger aria-label={`Supprimer ${name}`} aria-disabled={isBusy} onClick={onRemove}>
        Supprimer
      </Button>
    </li>
  );
}

/**
 * Form to send a booklet for the only stay, or for all stays unless one is chosen; asks for confirmation before replacing
 * the one of the same name, whose ever it is.
 */
function SendBooklet({ booklets }: { booklets: readonly Booklet[] }) {
  const { locale } = useSite();
  const only = useOnlyStay();
  const stays = useQuestion(STAYS).data ?? [];
  const [chosen, setChosen] = useState<number>();
  const stageId = only ?? chosen;
  const choice = useFileChoice(PDFS);
  const [progress, setProgress] = useState<number>();
  const confirm = useConfirm();
  const { say } = useNotices();
  const askAgain = useAskAgain(BOOKLETS);
  useUnsaved(choice.isChanged, 'Le fichier sera à choisir de nouveau.');

  async function mayTake(fileName: string): Promise<boolean> {
    const key = nameKey(bookletName(fileName));
    const held = booklets.find(({ nom }) => nameKey(nom) === key);
    if (held === undefined) return true;
    return confirm({
      question: `Remplacer le livret «\u00a0${held.nom}\u00a0»\u202f?`,
      consequence:
        held.sejour?.id === stageId
          ? 'Un livret de ce nom existe déjà\u202f: son fichier sera effacé définitivement.'
          : movingFrom(held),
      yes: 'Remplacer',
    });
  }
  /** Says that the readers of the new file are not those of the one that it replaces. */
  function movingFrom({ sejour }: Booklet): string {
    const named = (stay: Omit<NamedStay, 'id'>) => `«\u00a0${stayLabel(stay, locale)}\u00a0»`;
    const target = stays.find(({ id }) => id === stageId);
    const before = sejour ? named(sejour) : 'tous les séjours';
    const after = target ? named(target) : stageId ? 'ce séjour' : 'tous les séjours';
    return `Un livret de ce nom existe déjà, pour ${before}\u202f: son fichier sera effacé définitivement. Le nouveau sera pour ${after}.`;
  }
  const { form, errors, isBusy } = useForm({
    send: async () => {
      const { file } = choice;
      if (!file || !(await mayTake(file.name))) return undefined;
      const body = new FormData();
      body.append('livret', file);
      if (stageId) body.append('stageId', String(stageId));
      try {
        return await call('POST /livrets-upload', { body, onSent: setProgress });
      } finally {
        setProgress(undefined);
      }
    },
    onDone: (sent) => {
      if (!sent) return;
      say(sent.message, undefined, sent.conseil);
      choice.reset();
      void askAgain();
    },
    failure: 'Erreur lors de l’envoi du livret',
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <div inert={isBusy}>
        <PdfField label="Livret" name="livret" choice={choice} error={errors.livret} />
      </div>
      {stays.length > 0 && (
        <StaySelect
          stays={stays}
          value={chosen}
          none="Tous les séjours"
          error={errors.stageId}
          onChoose={(stay) => setChosen(stay?.id)}
        />
      )}
      {progress !== undefined && <SendingBar part={progress} />}
      <p>
        <SubmitButton yes="Envoyer" busy="Envoi…" isBusy={isBusy} />
      </p>
    </form>
  );
}
