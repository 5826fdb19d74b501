import { useId } from 'react';
import { GOOD_PASSWORD } from '#features/accounts/shared/terms.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain, useQuestion } from '#platform/web/questions.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { PasswordField } from '#platform/web/ui/TokenForm.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { OpenSignIns } from './OpenSignIns.tsx';
import { SecondFactor } from './SecondFactor.tsx';

/** The panel of one’s own account: password, second factor, open sign-ins. */
export function OwnAccountPanel() {
  const id = useId();
  return (
    <div className="flex max-w-3xl flex-col gap-10">
      <h1>Mon compte</h1>
      <section aria-labelledby={`${id}-own`} className="max-w-xl">
        <h2 id={`${id}-own`} className="mb-5">
          Changer mon mot de passe
        </h2>
        <OwnPassword />
      </section>
      <section aria-labelledby={`${id}-second`} className="max-w-xl">
        <h2 id={`${id}-second`} className="mb-5">
          Ma connexion en deux étapes
        </h2>
        <SecondFactor />
      </section>
      <section aria-labelledby={`${id}-sign-ins`}>
        <h2 id={`${id}-sign-ins`}>Mes connexions</h2>
        <p className="mt-1 mb-5 text-quiet">
          Les appareils où votre compte est ouvert. Mettez fin à celles que vous ne reconnaissez pas, puis
          changez votre mot de passe.
        </p>
        <OwnSignIns />
      </section>
    </div>
  );
}

const SIGN_INS = { key: 'GET /admins/moi/connexions' } as const;

/** One’s own open sign-ins, this one among them. */
function OwnSignIns() {
  const query = useQuestion(SIGN_INS, 'Erreur lors de la récupération de vos connexions:', {
    isRefreshed: true,
  });
  const askAgain = useAskAgain(SIGN_INS);
  const { say } = useNotices();
  return (
    <LoadState query={query} failed="Vos connexions n’ont pas pu être chargées.">
      {(items) => (
        <OpenSignIns
          items={items}
          askAgain={askAgain}
          mark={({ est_celle_ci }) =>
            est_celle_ci && <span className="rounded-full bg-mist px-3 text-sm">celle-ci</span>
          }
          endOne={({ id, est_celle_ci }) =>
            est_celle_ci
              ? undefined
              : async () => say((await call('DELETE /admins/moi/connexions/:id', { params: { id } })).message)
          }
          all={items.length - 1}
          endAll={async () =>
            say((await call('DELETE /admins/moi/connexions', { query: { sauf: 'celle-ci' } })).message)
          }
          allLabel="Mettre fin à toutes les autres"
          allQuestion={{
            question: 'Mettre fin à toutes vos autres connexions\u202f?',
            consequence: 'Ces appareils redemanderont votre mot de passe.',
            yes: 'Mettre fin',
          }}
        />
      )}
    </LoadState>
  );
}

/** Form to change one’s own password. The old one is required: a portal left open must not give the account away. */
function OwnPassword() {
  const { say } = useNotices();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      const { ancien = '', nouveau = '' } = textsOf(element);
      return call('POST /admins/moi/mot-de-passe', { body: { ancien, nouveau } });
    },
    onDone: ({ message }, element) => {
      say(message);
      element.reset();
    },
    failure: 'Erreur lors du changement de mot de passe',
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <PasswordField
        label="Mot de passe actuel"
        name="ancien"
        autoComplete="current-password"
        error={errors.ancien}
      />
      <PasswordField
        label="Nouveau mot de passe"
        name="nouveau"
        autoComplete="new-password"
        help={`${GOOD_PASSWORD} Vos connexions sur d’autres appareils prendront fin.`}
        error={errors.nouveau}
      />
      <p>
        <button type="submit" className="button" aria-disabled={isBusy}>
          {isBusy ? 'Changement…' : 'Changer mon mot de passe'}
        </button>
      </p>
    </form>
  );
}
