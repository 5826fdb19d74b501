import { Download, Printer, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { ofName } from '#platform/shared/elision.ts';
import { call } from '#platform/web/api.ts';
import { download } from '#platform/web/download.ts';
import { useSearch } from '#platform/web/history.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { useThing } from '#platform/web/questions.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { SubmitButton, TextField } from '#platform/web/ui/Field.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { textsOf, useAction, useForm } from '#platform/web/ui/useForm.ts';

const PANEL = panelAddress('donnees');

export function PersonalPanel() {
  const proof = useSearch().get('preuve');
  return proof ? <ProofPage id={proof} /> : <KnownOfAddress />;
}

function KnownOfAddress() {
  const [found, setFound] = useState<Known>();
  const { errors, isBusy, form } = useForm({
    send: (sent) => call('POST /rgpd', { body: { email: textsOf(sent).email ?? '' } }),
    onDone: setFound,
    failure: 'Erreur lors de la recherche de l’adresse',
  });
  return (
    <div className="max-w-2xl">
      <h1>Données personnelles</h1>
      <p className="mt-3 mb-6 text-quiet">
        Quelqu’un demande ce que le site sait de lui, ou veut que cela disparaisse ? Tapez son adresse e-mail.
        Vérifiez d’abord que la demande vient bien de cette personne.
      </p>
      <form {...form} className="flex flex-col gap-4">
        <TextField
          label="Adresse e-mail"
          name="email"
          type="email"
          autoComplete="off"
          isRequired
          error={errors.email}
        />
        <p>
          <SubmitButton yes="Chercher" busy="Recherche…" isBusy={isBusy} />
        </p>
      </form>
      {found && <KnownData {...found} onErased={setFound} />}
      <WhatErasingDoes />
    </div>
  );
}

function WhatErasingDoes() {
  return (
    <Section
      id="ce-que-fait-effacer"
      title="Ce que fait un effacement"
      className="mt-12 border-t border-mist pt-8"
      look="text-xl"
    >
      <p className="mt-2 max-w-[65ch]">
        Il efface l’adresse, et ce qui ne tient qu’à elle, des familles, des directeurs, de l’organigramme,
        des messages de contact, des e-mails et des imports. Il ne touche ni aux textes que vous publiez, ni
        aux avis sur les séjours, qui sont sans nom, ni au journal. Il ne cherche pas non plus dans ce que
        d’autres ont écrit, comme un message de contact qui citerait l’adresse. Il laisse une preuve, sans
        l’adresse, à remettre à la personne : cherchez l’adresse pour la retrouver.
      </p>
      <p className="mt-3 max-w-[65ch]">
        Les sauvegardes gardent l’adresse jusqu’à ce que de plus récentes les remplacent. Si l’une d’elles est
        remise en service, le site refait l’effacement dès qu’il démarre ; mais un fichier importé de nouveau
        la ferait revenir.
      </p>
    </Section>
  );
}

/** What is known of an address, and the proofs of its erasures. */
export type Known = ReplyOf<'POST /rgpd'>;

const FILES = [
  { call: 'GET /rgpd/document', label: 'Document à lire' },
  { call: 'GET /rgpd/export', label: 'Télécharger en JSON' },
] as const;

interface KnownDataProps extends Known {
  onErased(known: Known): void;
}

export function KnownData({ email, trouve, preuves, onErased }: KnownDataProps) {
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  const title = useRef<HTMLHeadingElement>(null);

  const save = (file: 'GET /rgpd/export' | 'GET /rgpd/document') =>
    run(() => download(file, { query: { email } }), 'Erreur lors du téléchargement des données');
  const erase = async () => {
    const { message } = await call('POST /rgpd/effacer', { body: { email, confirmation: email } });
    say(message);
    onErased(await call('POST /rgpd', { body: { email } }));
    // The button that had the focus may be gone.
    title.current?.focus();
  };
  const onErase = () =>
    run(erase, 'Erreur lors de l’effacement', {
      question: `Effacer définitivement tout ce que le site sait ${ofName(email)}\u202f?`,
      consequence: 'Personne ne pourra revenir en arrière, pas même avec une sauvegarde.',
      yes: 'Effacer définitivement',
      word: email,
    });

  return (
    <section aria-labelledby="connu" className="well mt-8">
      <h2 ref={title} tabIndex={-1} id="connu" className="text-xl wrap-anywhere">
        {email}
      </h2>
      <div role="status" className="mt-2">
        {trouve.length > 0 ? (
          <>
            <p>Voici ce que le site sait, et ce qu’un effacement en fait :</p>
            <Places places={trouve} />
          </>
        ) : (
          <p>Le site ne sait rien de cette adresse.</p>
        )}
      </div>
      {trouve.length > 0 && (
        <>
          <p className="mt-5">
            Le document à lire, un PDF, se remet à la personne ; le fichier JSON contient la même chose, pour
            un ordinateur.
          </p>
          {FILES.map(({ call: file, label }) => (
            <Button key={file} quiet className="mt-3 mr-3" aria-disabled={isBusy} onClick={() => save(file)}>
              <Download className="size-5" />
              {label}
            </Button>
          ))}
        </>
      )}
      {(trouve.length > 0 || preuves.length === 0) && (
        <Button danger className="mt-5" aria-disabled={isBusy} onClick={onErase}>
          <Trash2 className="size-5" />
          Effacer définitivement
        </Button>
      )}
      {trouve.length + preuves.length === 0 && (
        <p className="mt-3 text-sm text-quiet">
          Effacer sert encore si une sauvegarde connaît cette adresse : elle y sera effacée le jour où cette
          sauvegarde est remise en service.
        </p>
      )}
      {preuves.map(({ id, titre }) => (
        <p key={id} className="mt-3">
          <Link className="inline-flex min-h-11 items-center" to={`${PANEL}&preuve=${id}`}>
            {titre}
          </Link>
        </p>
      ))}
    </section>
  );
}

/** What is handed to the person, at an address of its own; on paper, all that is printed. */
function ProofPage({ id }: { id: string }) {
  const query = useThing({ key: 'GET /rgpd/preuves/:id', params: { id } });
  return (
    <div className="max-w-2xl">
      <p className="print:hidden">
        <Link className="inline-flex min-h-11 items-center" to={PANEL}>
          Données personnelles
        </Link>
      </p>
      <LoadState query={query} failed="La preuve n’a pas pu être chargée.">
        {(proof) => (proof ? <ErasureProof {...proof} /> : <h1>Cette preuve n’existe pas, ou plus</h1>)}
      </LoadState>
    </div>
  );
}

function ErasureProof({ id, titre, parties }: Known['preuves'][number]) {
  const { isBusy, run } = useAction();
  const save = () =>
    run(
      () => download('GET /rgpd/preuves/:id/document', { params: { id } }),
      'Erreur lors du téléchargement de la preuve',
    );
  return (
    <article className="printed-alone">
      <h1>{titre}</h1>
      <p className="mt-4 flex flex-wrap gap-3 print:hidden">
        <Button quiet onClick={() => window.print()}>
          <Printer className="size-5" />
          Imprimer la preuve
        </Button>
        <Button quiet aria-disabled={isBusy} onClick={save}>
          <Download className="size-5" />
          Preuve en PDF
        </Button>
      </p>
      {parties.map(({ titre, lignes }) => (
        <Section key={titre} title={titre} className="mt-6" look="text-xl">
          {lignes.map((line) => (
            <p key={line} className="mt-2 wrap-anywhere">
              {line}
            </p>
          ))}
        </Section>
      ))}
    </article>
  );
}

function Places({ places }: { places: Known['trouve'] }) {
  return (
    <ul className="mt-2 flex list-disc flex-col gap-1.5 pl-5">
      {places.map(({ genre, texte }) => (
        <li key={genre}>{texte}</li>
      ))}
    </ul>
  );
}
