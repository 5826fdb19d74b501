import { Check, Copy, Download, Printer } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call, saveAs } from '#platform/web/api.ts';
import { usePortalSession } from '#platform/web/portal.ts';
import { useAskAgain, useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { FormButtons } from '#platform/web/ui/Field.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { QrCode } from '#platform/web/ui/QrCode.tsx';
import { PasswordField } from '#platform/web/ui/TokenForm.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { useCopy } from '#platform/web/ui/useCopy.ts';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { CodeField } from './SignInForm.tsx';

const SECOND_FACTOR = { key: 'GET /admins/moi/second-facteur' } as const;

/** One’s own second factor: setting it up (secret, first code, then ten recovery codes to note down) or stopping it. */
export function SecondFactor() {
  const state = useQuestion(
    SECOND_FACTOR,
    'Erreur lors de la lecture de l’état de la connexion en deux étapes:',
  );
  const askAgain = useAskAgain(SECOND_FACTOR);
  const { say } = useNotices();
  const [begun, setBegun] = useState<ReplyOf<'POST /admins/moi/second-facteur'>>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <RecoveryCodes codes={codes} onNoted={() => setCodes(undefined)} />;
  if (begun) {
    return (
      <ConfirmSecret
        begun={begun}
        onConfirmed={({ message, codes_secours }) => {
          say(message);
          setBegun(undefined);
          setCodes(codes_secours);
          askAgain();
        }}
        onCancel={() => setBegun(undefined)}
      />
    );
  }
  return (
    <LoadState query={state} failed="L’état de la connexion en deux étapes n’a pas pu être chargé.">
      {({ actif_le, codes_restants }) =>
        actif_le === null ? (
          <PasswordStep
            intro={INTRO}
            send={(mot_de_passe) => call('POST /admins/moi/second-facteur', { body: { mot_de_passe } })}
            onDone={setBegun}
            action="Mettre en place"
            busy="Préparation…"
            failure="Erreur lors de la mise en place de la connexion en deux étapes"
          />
        ) : (
          <PasswordStep
            intro={<InPlace since={actif_le} codesLeft={codes_restants} />}
            send={(mot_de_passe) => call('POST /admins/moi/second-facteur/arret', { body: { mot_de_passe } })}
            onDone={({ message }) => {
              say(message);
              askAgain();
            }}
            action="Arrêter"
            busy="Arrêt…"
            isDanger
            failure="Erreur lors de l’arrêt de la connexion en deux étapes"
          />
        )
      }
    </LoadState>
  );
}

const INTRO =
  'Un mot de passe se devine ou se vole. Avec la connexion en deux étapes, votre compte demande aussi un code que ' +
  'seul votre téléphone connaît. Il y faut une application de codes, dite d’authentification\u202f; beaucoup ' +
  'd’applications de mots de passe en font office.';

function InPlace({ since, codesLeft }: { since: string; codesLeft: number }) {
  const { locale, timeZone } = useSite();
  const left = codesLeft === 1 ? 'Il reste 1 code de secours' : `Il reste ${codesLeft} codes de secours`;
  return (
    <>
      En place depuis le {dayOf(since, locale, timeZone)}. {left}
      {'\u202f'}; pour en avoir dix nouveaux, ou pour changer de téléphone, arrêtez-la puis remettez-la en
      place.
    </>
  );
}

interface ConfirmSecretProps {
  begun: ReplyOf<'POST /admins/moi/second-facteur'>;
  onConfirmed(answer: ReplyOf<'POST /admins/moi/second-facteur/confirmation'>): void;
  onCancel(): void;
}

/** Shows the secret for the application, and asks for a first code, which proves that the application has it. */
function ConfirmSecret({ begun: { secret, qr }, onConfirmed, onCancel }: ConfirmSecretProps) {
  const { form, errors, isBusy } = useForm({
    send: (element) =>
      call('POST /admins/moi/second-facteur/confirmation', { body: { code: textsOf(element).code ?? '' } }),
    onDone: onConfirmed,
    failure: 'Erreur lors de la mise en place de la connexion en deux étapes',
  });
  useEffect(() => {
    form.ref.current?.querySelector('input')?.focus();
  }, [form.ref]);
  return (
    <form {...form} className="well flex flex-col gap-5">
      <p>
        Ajoutez un compte dans l’application de codes de votre téléphone, et visez ce code avec elle. S’il ne
        peut pas être lu, tapez la clé.
      </p>
      <QrCode qr={qr} className="size-52 rounded-control bg-white" />
      <p>
        Clé{'\u202f'}:{' '}
        <span className="font-mono font-semibold wrap-anywhere">{secret.replace(/.{4}(?=.)/g, '$& ')}</span>
      </p>
      <CodeField help="Celui que l’application montre maintenant pour ce site." error={errors.code} />
      <FormButtons yes="Confirmer" busy="Vérification…" isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
}

interface PasswordStepProps<T> {
  intro: ReactNode;
  send(password: string): Promise<T>;
  onDone(answer: T): void;
  action: string;
  busy: string;
  isDanger?: boolean;
  /** Message when it fails. */
  failure: string;
}

/** A step that asks for one’s own password again: a portal left open must not be enough for it. */
function PasswordStep<T>(props: PasswordStepProps<T>) {
  const { intro, send, onDone, action, busy, isDanger = false, failure } = props;
  const { form, errors, isBusy } = useForm({
    send: (element) => send(textsOf(element).mot_de_passe ?? ''),
    onDone: (answer, element) => {
      element.reset();
      onDone(answer);
    },
    failure,
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <p>{intro}</p>
      <PasswordField
        label="Mot de passe actuel"
        name="mot_de_passe"
        autoComplete="current-password"
        error={errors.mot_de_passe}
      />
      <p>
        <button type="submit" className={isDanger ? 'button danger' : 'button'} aria-disabled={isBusy}>
          {isBusy ? busy : action}
        </button>
      </p>
    </form>
  );
}

/** The recovery codes, in case the telephone is lost; shown only once. */
function RecoveryCodes({ codes, onNoted }: { codes: readonly string[]; onNoted(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { isCopied, isRefused, copy } = useCopy(() => list.current?.focus());
  useEffect(() => heading.current?.focus(), []);
  useUnsaved(true, 'Vos codes de secours ne seront plus affichés.');
  const Icon = isCopied ? Check : Copy;
  const about = useAboutCodes();
  const save = () => {
    const text = [...about, '', ...codes, '', HOW_TO_USE, ''].join('\r\n');
    saveAs(new Blob([text], { type: 'text/plain;charset=utf-8' }), 'codes-de-secours.txt');
  };
  return (
    <div className="printed-alone well flex flex-col gap-5">
      <h3 ref={heading} tabIndex={-1} className="print:hidden">
        Notez vos dix codes de secours
      </h3>
      <div className="hidden print:block">
        {about.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <p className="print:hidden">
        Sans votre téléphone, chacun d’eux ouvre votre compte une fois, à la place du code. Gardez-les sur
        papier, ailleurs que votre mot de passe{'\u202f'}: ils ne seront plus affichés.
      </p>
      <ul
        ref={list}
        tabIndex={-1}
        className="grid gap-x-6 gap-y-2 font-mono text-lg tracking-wide sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="hidden print:block">{HOW_TO_USE}</p>
      <p role="status" className={isRefused ? 'font-semibold print:hidden' : 'sr-only'}>
        {isCopied && 'Codes de secours copiés.'}
        {isRefused && 'Copie impossible\u202f: notez-les à la main.'}
      </p>
      <div className="flex flex-wrap gap-3 print:hidden">
        <button type="button" className="button" onClick={onNoted}>
          C’est noté
        </button>
        <button type="button" className="button quiet" onClick={() => copy(codes.join('\n'))}>
          <Icon aria-hidden="true" className="size-5" />
          {isCopied ? 'Copié' : 'Copier'}
        </button>
        <button type="button" className="button quiet" onClick={() => window.print()}>
          <Printer aria-hidden="true" className="size-5" />
          Imprimer
        </button>
        <button type="button" className="button quiet" onClick={save}>
          <Download aria-hidden="true" className="size-5" />
          Télécharger
        </button>
      </div>
    </div>
  );
}

const HOW_TO_USE =
  'Sans votre téléphone, chacun ouvre votre compte une fois\u202f: rayez-le ensuite. Le panneau ' +
  '«\u00a0Administrateurs\u00a0» dit combien il en reste. Gardez-les ailleurs que votre mot de passe.';

/** What the paper and the file say beside the codes: of which site and account they are, and since when. */
function useAboutCodes(): readonly string[] {
  const { organisation, locale, timeZone } = useSite();
  const { username } = usePortalSession();
  const site = organisation ? `Portail CSE, ${organisation}` : 'Portail CSE';
  return [
    `Codes de secours\u202f: ${site} (${window.location.host})`,
    `Compte\u202f: ${username}`,
    `Date\u202f: ${dayOf(new Date().toISOString(), locale, timeZone)}`,
  ];
}
