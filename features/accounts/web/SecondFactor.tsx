import { type ReactNode, useEffect, useState } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { FormButtons } from '#platform/web/ui/Field.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { QrCode } from '#platform/web/ui/QrCode.tsx';
import { PasswordField } from '#platform/web/ui/TokenForm.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { CodeField } from './SignInForm.tsx';

interface SecondFactorProps {
  /** Since when it is in place; null: it is not. */
  since: string | null;
  /** Called with the recovery codes that its setting up gave. */
  onCodes(codes: readonly string[]): void;
  askAgain(): void;
}

export function SecondFactor({ since, onCodes, askAgain }: SecondFactorProps) {
  const { say } = useNotices();
  const { locale, timeZone } = useSite();
  const [begun, setBegun] = useState<ReplyOf<'POST /admins/moi/second-facteur'>>();
  if (begun) {
    return (
      <ConfirmSecret
        begun={begun}
        onConfirmed={({ message, codes_secours }) => {
          say(message);
          setBegun(undefined);
          onCodes(codes_secours);
          askAgain();
        }}
        onCancel={() => setBegun(undefined)}
      />
    );
  }
  return since === null ? (
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
      intro={`En place depuis le ${dayOf(since, locale, timeZone)}. Pour changer de téléphone, arrêtez-la puis remettez-la en place.`}
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
  );
}

const INTRO =
  'Un mot de passe se devine ou se vole. Avec la connexion en deux étapes, votre compte demande aussi un code que ' +
  'seul votre téléphone connaît. Il y faut une application de codes, dite d’authentification\u202f; beaucoup ' +
  'd’applications de mots de passe en font office.';

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
