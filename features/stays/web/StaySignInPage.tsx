import { useQueryClient } from '@tanstack/react-query';
import { ArrowRight, ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useSearch } from '#platform/web/history.tsx';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { PauseButton, useAutoplay } from '#platform/web/ui/autoplay.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { Field, SubmitButton, TextField } from '#platform/web/ui/Field.tsx';
import { NeedsScript, useIsInBrowser } from '#platform/web/ui/inBrowser.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { TextSizeControl } from '#platform/web/ui/TextSize.tsx';
import { NOT_KEPT, TokenForm, troubleOf } from '#platform/web/ui/TokenForm.tsx';
import { textsOf, useAction, useForm } from '#platform/web/ui/useForm.ts';
import { stayNumberIn } from '../shared/terms.ts';
import {
  ALL_STAYS,
  addressAfter,
  endedBy,
  keepStay,
  nameOfSession,
  TOGETHER_ADDRESS,
  useFamilies,
  useStays,
  useSwitchStay,
} from './sessions.ts';
import { STAYS, stayLabel } from './stays.ts';

export function StaySignInPage() {
  const search = useSearch();
  const { hash } = useLocation();
  const isFamily = useFamilies().length > 0;
  // Given by the link of a mail, for example.
  const number = search.get('stageId')?.match(/^\d{1,15}$/)?.[0];
  // Of links that lead to the photos; others lead here, as a family may sign in to another stay.
  if (hash === '#photos' && isFamily) return <Navigate to={TOGETHER_ADDRESS} replace />;
  return (
    <>
      <Scenes className="h-[clamp(13rem,32.5vw,26rem)] w-full" />
      <div className="page z-10 -mt-20 max-w-md md:-mt-32 lg:-mt-44 xl:-mt-56">
        <div className="card p-6 sm:p-8">
          <div className="flex flex-wrap items-center justify-between gap-x-2">
            <h1 className="text-xl sm:text-3xl">Photos des séjours</h1>
            <div className="-mr-2 ml-auto">
              <TextSizeControl />
            </div>
          </div>
          <p className="mt-2 mb-6 text-quiet">Pour les familles et les directeurs de séjour.</p>
          <OpenStays />
          <StaySignInForm key={number} givenNumber={number} />
          <p className="mt-6 border-t border-mist pt-4 text-quiet">
            Le numéro et le mot de passe arrivent par e-mail ou sur papier avant le séjour. Une question
            {'\u202f'}? <Link to="/contact">Écrivez-nous</Link>.
          </p>
          <p>
            <Link to="/politique-photos" className="inline-flex min-h-11 items-center">
              Politique photos
            </Link>
          </p>
        </div>
      </div>
    </>
  );
}

/**
 * Where the link of a mail leads: what follows the link by itself, as scanners of mails do, opens nothing, as only the
 * button sends what stands after the `#`.
 */
export function LinkPage() {
  const enter = useEntering();
  const [trouble, setTrouble] = useState('');
  const isInBrowser = useIsInBrowser();
  const { form, isBusy } = useForm({
    send: () => {
      setTrouble('');
      return call('POST /auth/lien', { body: { jeton: window.location.hash.slice(1) } });
    },
    onDone: (answer) => setTrouble(enter(answer)),
    failure: 'Erreur de connexion',
    onFailed: (error) => {
      setTrouble(troubleOf(error));
      return true;
    },
  });
  return (
    <>
      <Scenes className="h-[clamp(13rem,32.5vw,26rem)] w-full" />
      <div className="page z-10 -mt-20 max-w-md md:-mt-32 lg:-mt-44 xl:-mt-56">
        <div className="card p-6 sm:p-8">
          <h1 className="text-2xl sm:text-3xl">Votre séjour</h1>
          <p className="mt-2 mb-6 text-quiet">
            Ce lien est fait pour vous seul{'\u202f'}: il ouvre les photos sur cet appareil.
          </p>
          <form {...form} className="flex flex-col gap-5">
            <div role="alert" aria-live="assertive" className="empty:-mb-5">
              {trouble && <p className="font-semibold text-coral">{trouble}</p>}
            </div>
            <NeedsScript />
            <Button
              type="submit"
              className="w-full justify-between"
              aria-disabled={isBusy}
              disabled={!isInBrowser}
            >
              {isBusy ? 'Ouverture…' : 'Ouvrir les photos'}
              <ArrowRight aria-hidden="true" className="size-5 shrink-0" />
            </Button>
          </form>
          <p className="mt-6 border-t border-mist pt-4">
            <Link to="/connexion" className="inline-flex min-h-11 items-center">
              Se connecter avec le mot de passe du séjour
            </Link>
          </p>
        </div>
      </div>
    </>
  );
}

/** Where an evening mail leads who wants no more: following the link changes nothing, as scanners of mails do; the button does. */
export function StopPage() {
  const [isStopped, setStopped] = useState(false);
  const [said, setSaid] = useState('');
  const { isBusy, run } = useAction();
  const isInBrowser = useIsInBrowser();
  const choose = (recevoir: 'oui' | 'non') =>
    run(async () => {
      const jeton = window.location.hash.slice(1);
      setSaid((await call('POST /soirs/arret', { query: { jeton, recevoir } })).message);
      setStopped(recevoir === 'non');
    }, 'Votre choix n’a pas pu être enregistré');
  return (
    <div className="page max-w-xl py-10">
      <h1>Message du soir</h1>
      <p className="mt-3 mb-6">
        Il dit le soir, à votre adresse, combien de photos de vos séjours sont nouvelles. Vos codes et les
        autres e-mails arrivent toujours.
      </p>
      <p role="status" className="mb-4 font-semibold empty:hidden">
        {said}
      </p>
      <NeedsScript />
      <Button
        quiet={isStopped}
        disabled={!isInBrowser}
        aria-disabled={isBusy}
        onClick={() => choose(isStopped ? 'oui' : 'non')}
      >
        {isStopped ? 'Le recevoir de nouveau' : 'Ne plus le recevoir'}
      </Button>
    </div>
  );
}

/** Links to the stays that this device is signed in to, which need no password; nothing when there is none. */
export function OpenStays() {
  const stays = useStays();
  const { isBusy, run } = useAction();
  const switchStay = useSwitchStay();
  const hasSeveral = useFamilies().length > 1;
  if (stays.length === 0) return null;
  return (
    <Section
      title="Déjà ouvert sur cet appareil"
      className="mb-6 border-b border-mist pb-6"
      look="mb-3 text-lg"
    >
      <ul className="flex flex-col gap-3">
        {hasSeveral && (
          <li>
            <Link to={TOGETHER_ADDRESS} className="button w-full justify-between text-left">
              {ALL_STAYS}
              <ArrowRight className="size-5 shrink-0" />
            </Link>
          </li>
        )}
        {stays.map((stay) => (
          <li key={stay.token}>
            <Button
              quiet
              className="w-full justify-between text-left wrap-anywhere"
              aria-disabled={isBusy}
              onClick={() => run(() => switchStay(stay), 'Erreur de connexion')}
            >
              {nameOfSession(stay)}
              <ArrowRight className="size-5 shrink-0" />
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/**
 * Returns a function that keeps a sign-in to a stay on this device and goes to its page; it returns why it could not, blank
 * when it could.
 */
export function useEntering(): (answer: ReplyOf<'POST /auth/login'>) => string {
  const { sayLeaving } = useNotices();
  const answers = useQueryClient();
  const navigate = useNavigate();
  return (answer) => {
    const { stageId, nom_stage: nom, userRole: role, token, expire_le } = answer;
    const stay = { stageId, nom, role, token, expire_le };
    const ended = endedBy(stay);
    if (!keepStay(stay)) return NOT_KEPT;
    for (const { token, keepsCookie } of ended) {
      // A session that cannot be ended now expires by itself.
      call('POST /auth/logout', { token, cookies: keepsCookie ? false : undefined }).catch(() => {});
    }
    sayLeaving(answer.message);
    navigate(addressAfter(stay));
    // Cached answers may have been read with another role in the same stay.
    answers.clear();
    return '';
  };
}

/** Form for the number and password of a stay, with help for lost codes. `givenNumber`: the prefilled number. */
export function StaySignInForm({ givenNumber = '' }: { givenNumber?: string | undefined }) {
  const [number, setNumber] = useState(givenNumber);
  const named = useNamedStay(number);
  const { locale } = useSite();
  const enter = useEntering();

  return (
    <>
      <TokenForm
        send={({ stageId = '', password = '' }) =>
          call('POST /auth/login', { body: { stageId, password } }).catch((error) => {
            throw withHint(error, password);
          })
        }
        onDone={enter}
        action="Se connecter"
        busy="Connexion…"
        // Grandparents copy it from a paper or a mail, a letter at a time, and nobody looks over their shoulder: a
        // mistake that is seen is mended. It is no secret of theirs, but that of all families of the stay.
        isPasswordShown
        takesFocus={givenNumber !== ''}
      >
        {(errors) => (
          <Field
            label="Numéro du séjour"
            name="stageId"
            isRequired
            missing="saisissez le numéro du séjour."
            error={errors.stageId}
            help={
              <span aria-live="polite">
                {named
                  ? stayLabel(named, locale)
                  : 'Il est dans l’e-mail ou sur le papier, avec le mot de passe.'}
              </span>
            }
          >
            {(control) => (
              <input
                {...control}
                type="text"
                className="input"
                inputMode="numeric"
                autoComplete="username"
                maxLength={40}
                defaultValue={givenNumber}
                onChange={({ target }) => setNumber(target.value)}
              />
            )}
          </Field>
        )}
      </TokenForm>
      <LostCode number={number} />
    </>
  );
}

/** Finds the stay of the typed number, to show that it is the right one; none where visitors see numbers only. */
function useNamedStay(number: string) {
  const typed = stayNumberIn(number);
  const { data } = useQuestion(STAYS, { isAsked: typed !== undefined });
  return data?.find(({ id, nom_stage }) => id === typed && nom_stage !== '');
}

/** Letters and digits of a password that the site makes. */
const GENERATED = 12;

/** A refusal, with what the mere length of the password tells of it. */
function withHint(error: unknown, password: string): unknown {
  const missing = GENERATED - (password.match(/[\p{L}\p{N}]/gu)?.length ?? 0);
  if (!(error instanceof CallError) || error.status !== 401 || missing < 1 || missing > 2) return error;
  const hint = `Il ${missing > 1 ? 'manque peut-être deux lettres' : 'manque peut-être une lettre'}\u202f: il y en a ${GENERATED} d’habitude.`;
  return new CallError(401, `${error.message} ${hint}`, error.champs, error.answer);
}

/** Form to have lost codes sent again by e-mail. `number`: the stay number as typed so far in the sign-in form. */
export function LostCode({ number }: { number: string }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  // False in the server-rendered page, where nothing handles clicks yet.
  const isInBrowser = useIsInBrowser();
  return (
    <div className="mt-3">
      <button
        type="button"
        className="-ml-2 inline-flex min-h-11 items-center gap-1 px-2 font-semibold text-lake underline underline-offset-3"
        aria-expanded={isOpen}
        aria-controls={id}
        disabled={!isInBrowser}
        onClick={() => setOpen(!isOpen)}
      >
        Mot de passe perdu{'\u202f'}?
        <ChevronDown className={`size-5 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
      </button>
      <div id={id}>{isOpen && <LostCodeForm number={number} />}</div>
    </div>
  );
}

function LostCodeForm({ number }: { number: string }) {
  const [answer, setAnswer] = useState('');
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      setAnswer('');
      const { stageId = '', email = '' } = textsOf(element);
      return call('POST /auth/code-perdu', { body: { stageId, email } });
    },
    onDone: ({ message }) => setAnswer(message),
    failure: 'Le mot de passe n’a pas pu être demandé.',
  });
  return (
    <form
      {...form}
      aria-label="Recevoir le mot de passe de nouveau"
      className="well mt-2 flex flex-col gap-5"
    >
      <p className="text-sm">
        Indiquez l’adresse qui a reçu le premier e-mail{'\u202f'}: le mot de passe y sera envoyé de nouveau.
        Elle ne sert à rien d’autre.
      </p>
      <TextField
        label="Numéro du séjour"
        name="stageId"
        isRequired
        missing="saisissez le numéro du séjour."
        inputMode="numeric"
        maxLength={40}
        defaultValue={stayNumberIn(number) ?? number}
        error={errors.stageId}
      />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        isRequired
        missing="indiquez l’adresse qui a reçu le premier e-mail."
        autoComplete="email"
        error={errors.email}
      />
      <p>
        <SubmitButton yes="Recevoir le mot de passe" busy="Envoi…" isBusy={isBusy} />
      </p>
      <div role="status">{answer && <p className="font-semibold">{answer}</p>}</div>
    </form>
  );
}

const SCENES = ['horizon', 'mountain', 'lake'] as const;
/** Time in ms that each scene is shown. */
const EVERY = 5_000;

/** Rotating drawings of a day by the sea, a day in the mountains and an evening at a lake. */
export function Scenes({ className }: { className: string }) {
  const [shown, setShown] = useState(0);
  const clock = useAutoplay(EVERY, () => setShown((shown + 1) % SCENES.length));
  return (
    <div className={`relative ${className}`}>
      {SCENES.map((name, place) => (
        <Drawing
          key={name}
          name={name}
          // Each drawing covers the previous ones, which stay visible: nothing shows through during a transition.
          className={`absolute inset-0 size-full transition-opacity duration-250 ${place <= shown ? '' : 'opacity-0'}`}
        />
      ))}
      <PauseButton clock={clock} className="absolute top-3 right-3 bg-card shadow-card" />
    </div>
  );
}
