import { Check, Copy, Download } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Places } from '#features/accounts/web/Places.tsx';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { download } from '#platform/web/download.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Options, SelectField } from '#platform/web/ui/Field.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useCopy } from '#platform/web/ui/useCopy.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { StayListState, StaySelect, useChosenStay, useStayChoice } from './StaySelect.tsx';
import { panelOf, useOnlyStay } from './stayPage.tsx';
import { erasedText, type NamedStay, STAYS, sendCodesAddress, stayLabel } from './stays.ts';

export const PasswordsPanel = panelOf('Mots de passe des séjours', 'max-w-2xl', Passwords);

export function Passwords() {
  const query = useQuestion(STAYS);
  const only = useOnlyStay();
  return (
    <>
      <p className="mt-3 mb-6 text-quiet">
        Chaque lecture est inscrite au journal. Ne donnez un mot de passe qu’aux personnes de son séjour.
      </p>
      <StayListState query={query}>
        {(stays) => (
          <>
            <Lookup stays={stays} />
            {only === undefined && <AllPasswords />}
          </>
        )}
      </StayListState>
    </>
  );
}

/** A password with its stay and type, as the answer may arrive after another one was chosen. */
interface Reading {
  stageId: number;
  type: PasswordType;
  password: string;
}

function isOf(reading: Reading, stay: NamedStay, type: PasswordType): boolean {
  return reading.stageId === stay.id && reading.type === type;
}

/** Families first: their password is asked for more often. */
const TYPES: readonly PasswordType[] = ['stagiaire', 'formateur'];

function Lookup({ stays }: { stays: NamedStay[] }) {
  const choice = useStayChoice(stays, useChosenStay());
  const [type, setType] = useState<PasswordType>('formateur');
  const [reading, setReading] = useState<Reading>();
  /** The last stay whose passwords were requested but had been erased. */
  const [erased, setErased] = useState<{ stageId: number; since: string }>();
  const { isBusy, run } = useAction();
  const { warn } = useNotices();
  const { locale, timeZone } = useSite();
  const stay = choice.chosen;
  const isErased = erased !== undefined && erased.stageId === stay?.id;
  const only = useOnlyStay();
  const read = ({ id }: NamedStay, type: PasswordType) =>
    run(async () => {
      const [found] = await call('GET /stage-passwords/:id', { params: { id } });
      const password = found?.[`mdp_${type}`];
      setReading(password ? { stageId: id, type, password } : undefined);
      if (password) return;
      const known = await call('GET /stages/:id', { params: { id } });
      const since = 'efface_le' in known ? known.efface_le : null;
      if (since) setErased({ stageId: id, since });
      else warn(`Mot de passe non trouvé pour le type: ${PASSWORD_TYPES[type]}`);
    }, 'Erreur lors de la récupération du mot de passe.');
  return (
    <div ref={choice.place} className="flex flex-col gap-6">
      <StaySelect
        stays={stays}
        value={stay?.id}
        error={choice.error}
        onChoose={(stay) => {
          setReading(undefined);
          choice.choose(stay);
        }}
      />
      {only === undefined ? (
        <>
          <SelectField
            label="Type"
            name="type"
            isRequired
            value={type}
            onChoose={(value) => {
              setReading(undefined);
              setType(value as PasswordType);
            }}
          >
            <Options labels={PASSWORD_TYPES} />
          </SelectField>
          <p>
            <Button aria-disabled={isBusy} onClick={() => choice.withChosen((stay) => read(stay, type))}>
              {isBusy ? 'Lecture…' : 'Afficher le mot de passe'}
            </Button>
          </p>
        </>
      ) : (
        <p className="flex flex-wrap gap-3">
          {TYPES.map((one) => (
            <Button
              key={one}
              quiet
              aria-disabled={isBusy}
              onClick={() => {
                setType(one);
                choice.withChosen((stay) => read(stay, one));
              }}
            >
              Afficher le mot de passe {PASSWORD_TYPES[one]}
            </Button>
          ))}
        </p>
      )}
      <p role="status" className={isErased ? 'well' : 'sr-only'}>
        {isErased && erasedText(erased.since, locale, timeZone)}
      </p>
      {stay && reading && isOf(reading, stay, type) && (
        <ShownPassword
          key={reading.password}
          stay={stay}
          type={type}
          password={reading.password}
          onRegenerated={(password) =>
            setReading((shown) => (shown && isOf(shown, stay, type) ? { ...shown, password } : shown))
          }
        />
      )}
      {stay && <StaySignIns key={stay.id} stayId={stay.id} />}
    </div>
  );
}

/** Who is signed in to a stay, so that a lost device can be shut out. */
function StaySignIns({ stayId }: { stayId: number }) {
  const question = { key: 'GET /stages/:id/connexions', params: { id: stayId } } as const;
  const query = useQuestion(question, { isRefreshed: true });
  const askAgain = useAskAgain(question);
  const end = (connexion: number) =>
    call('DELETE /stages/:id/connexions/:connexion', { params: { id: stayId, connexion } });
  return (
    <Section title="Connexions ouvertes" className="border-t border-mist pt-8">
      <p className="mt-1 mb-5 text-quiet">
        Les appareils où ce séjour est ouvert. Pour un téléphone perdu, donnez aussi un nouveau mot de passe
        au séjour.
      </p>
      <LoadState query={query} failed="Les connexions au séjour n’ont pas pu être chargées.">
        {(items) =>
          items.length === 0 ? (
            <p className="well">Personne n’est connecté à ce séjour.</p>
          ) : (
            <Places
              items={items}
              askAgain={askAgain}
              mark={({ type }) => (
                <span className="rounded-full bg-mist px-3 text-sm">{PASSWORD_TYPES[type]}</span>
              )}
              endOne={(item) => () => end(item.id)}
              all={{
                count: items.length,
                end: () => call('DELETE /stages/:id/connexions', { params: { id: stayId } }),
                label: 'Mettre fin à toutes',
                question: {
                  question: 'Mettre fin à toutes les connexions de ce séjour\u202f?',
                  consequence:
                    'Familles et directeurs devront redonner le mot de passe du séjour. Les photos en cours d’envoi attendront.',
                  yes: 'Mettre fin',
                },
              }}
            />
          )
        }
      </LoadState>
    </Section>
  );
}

function AllPasswords() {
  const { isBusy, run } = useAction();
  return (
    <Section id="tous-les-mots-de-passe" title="Tous les séjours" className="mt-12 border-t border-mist pt-8">
      <p className="mt-1 mb-5 text-quiet">
        Un classeur Excel, une ligne par séjour, avec ses deux mots de passe. Gardez ce fichier en lieu sûr.
      </p>
      <Button
        quiet
        aria-disabled={isBusy}
        onClick={() =>
          run(
            () => download('GET /download-passwords', {}),
            'Erreur lors du téléchargement des mots de passe',
          )
        }
      >
        <Download className="size-5" />
        {isBusy ? 'Préparation…' : 'Télécharger tous les mots de passe'}
      </Button>
    </Section>
  );
}

interface ShownPasswordProps {
  stay: NamedStay;
  type: PasswordType;
  password: string;
  onRegenerated(password: string): void;
}

export function ShownPassword({ stay, type, password, onRegenerated }: ShownPasswordProps) {
  const { locale } = useSite();
  const id = useId();
  const text = useRef<HTMLInputElement>(null);
  // When copying is refused, the focused text is selected: Ctrl + C then copies it.
  const { isCopied, isRefused, copy } = useCopy(() => text.current?.focus());
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const regenerate = async () => {
    const input = { params: { id: stay.id }, body: { type } };
    const { message, mot_de_passe } = await call('POST /stage-passwords/:id/regenerer', input);
    onRegenerated(mot_de_passe);
    say(message);
  };
  const onRegenerate = () =>
    run(regenerate, 'Erreur lors du changement de mot de passe', {
      question: `Remplacer le mot de passe ${PASSWORD_TYPES[type]}\u202f?`,
      consequence:
        'L’ancien n’ouvrira plus rien, et les connexions faites avec lui prendront fin aussitôt. ' +
        'Il faudra donner le nouveau à toutes les personnes concernées.',
      yes: 'Régénérer',
    });
  useEffect(() => text.current?.focus(), []);

  const Icon = isCopied ? Check : Copy;
  return (
    <div className="card gap-3 p-5">
      <label htmlFor={id} className="wrap-anywhere">
        <span className="block font-semibold">Mot de passe {PASSWORD_TYPES[type]}</span>
        <span className="text-sm text-quiet">
          Séjour n° {stay.id}, {stayLabel(stay, locale)}
        </span>
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          id={id}
          ref={text}
          readOnly
          value={password}
          className="input min-w-0 flex-1 basis-52 font-mono text-lg tracking-wide"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button onClick={() => copy(password)}>
          <Icon className="size-5" />
          {isCopied ? 'Copié' : 'Copier'}
        </Button>
        <p role="status" className={isCopied ? 'sr-only' : 'font-semibold'}>
          {isCopied && 'Mot de passe copié.'}
          {isRefused && 'Copie impossible\u202f: appuyez sur Ctrl + C.'}
        </p>
      </div>
      <p className="mt-2 flex flex-wrap justify-between gap-3">
        <Link className="button quiet" to={sendCodesAddress({ stageIds: [stay.id], type })}>
          Envoyer ce mot de passe
        </Link>
        <Button danger aria-disabled={isBusy} onClick={onRegenerate}>
          Régénérer
        </Button>
      </p>
    </div>
  );
}
