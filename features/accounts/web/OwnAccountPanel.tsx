import { Check, Copy, Download, Printer } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { saveAs } from '#platform/web/download.ts';
import { SESSION, usePortalSession } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useUnsaved } from '#platform/web/ui/dialogs.tsx';
import { SubmitButton } from '#platform/web/ui/Field.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { PasswordField } from '#platform/web/ui/TokenForm.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { useCopy } from '#platform/web/ui/useCopy.ts';
import { textsOf, useAction, useForm } from '#platform/web/ui/useForm.ts';
import { GOOD_PASSWORD } from '../shared/terms.ts';
import { Passkeys, SecondFactor } from './Factors.tsx';
import { Places } from './Places.tsx';
import { OWN_FACTORS } from './ProofDialog.tsx';

export function OwnAccountPanel() {
  return (
    <div className="flex max-w-3xl flex-col gap-10">
      <h1>Mon compte</h1>
      <Part title="Changer mon mot de passe">
        <OwnPassword />
      </Part>
      <OwnFactors />
      <Part
        title="Mes connexions"
        intro="Les appareils où votre compte est ouvert. Mettez fin à celles que vous ne reconnaissez pas, puis changez votre mot de passe."
      >
        <OwnSignIns />
      </Part>
      <Part
        title="Mes appareils"
        intro={
          'Ceux d’où votre compte a été ouvert\u202f: une connexion depuis un autre vous est annoncée par e-mail. ' +
          'Un nouveau mot de passe les oublie tous, sauf celui où vous le changez.'
        }
      >
        <OwnDevices />
      </Part>
    </div>
  );
}

interface PartProps {
  title: string;
  /** Of a list, which is as wide as the panel; forms are narrower. */
  intro?: string;
  children: ReactNode;
}

function Part({ title, intro, children }: PartProps) {
  return (
    <Section title={title} className={intro ? undefined : 'max-w-xl'} look={intro ? undefined : 'mb-5'}>
      {intro && <p className="mt-1 mb-5 text-quiet">{intro}</p>}
      {children}
    </Section>
  );
}

/** What opens one’s own account beside its password; recovery codes that were just made stand in its place until noted. */
function OwnFactors() {
  const query = useQuestion(OWN_FACTORS);
  const askAgain = useAskAgain(OWN_FACTORS, SESSION);
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <RecoveryCodes codes={codes} onNoted={() => setCodes(undefined)} />;
  return (
    <LoadState query={query} failed="Vos clés d’accès n’ont pas pu être chargées.">
      {({ actif_le, codes_restants, cles }) => (
        <>
          <Part title="Mes clés d’accès">
            <Passkeys passkeys={cles} onCodes={setCodes} askAgain={askAgain} />
          </Part>
          <Part title="Ma connexion en deux étapes">
            <SecondFactor since={actif_le} onCodes={setCodes} askAgain={askAgain} />
          </Part>
          {(actif_le !== null || cles.length > 0) && (
            <Part title="Mes codes de secours">
              <RecoveryCodesLeft count={codes_restants} onCodes={setCodes} askAgain={askAgain} />
            </Part>
          )}
        </>
      )}
    </LoadState>
  );
}

interface RecoveryCodesLeftProps {
  count: number;
  onCodes(codes: readonly string[]): void;
  askAgain(): Promise<unknown>;
}

function RecoveryCodesLeft({ count, onCodes, askAgain }: RecoveryCodesLeftProps) {
  const { isBusy, run } = useAction(askAgain);
  const renew = () =>
    run(
      async () => onCodes((await call('POST /admins/moi/codes-secours', {})).codes_secours),
      'Erreur lors de la création de codes de secours',
      {
        question: 'Faire dix nouveaux codes de secours\u202f?',
        consequence: 'Ceux que vous avez notés ne vaudront plus rien.',
        yes: 'Faire dix codes',
      },
    );
  return (
    <>
      <p>
        {count === 1 ? 'Il reste 1 code' : `Il reste ${count} codes`}. Chacun ouvre votre compte une fois,
        avec votre mot de passe, si vous perdez votre téléphone ou votre clé d’accès.
      </p>
      <p className="mt-5">
        <Button quiet aria-disabled={isBusy} onClick={renew}>
          Dix nouveaux codes
        </Button>
      </p>
    </>
  );
}

const SIGN_INS = { key: 'GET /admins/moi/connexions' } as const;
const DEVICES = { key: 'GET /admins/moi/appareils' } as const;

const here = (text: string) => <span className="rounded-full bg-mist px-3 text-sm">{text}</span>;

function OwnSignIns() {
  const query = useQuestion(SIGN_INS, { isRefreshed: true });
  const askAgain = useAskAgain(SIGN_INS, DEVICES);
  return (
    <LoadState query={query} failed="Vos connexions n’ont pas pu être chargées.">
      {(items) => (
        <Places
          items={items}
          askAgain={askAgain}
          mark={({ est_celle_ci }) => est_celle_ci && here('celle-ci')}
          endOne={({ id, est_celle_ci }) =>
            est_celle_ci ? undefined : () => call('DELETE /admins/moi/connexions/:id', { params: { id } })
          }
          all={{
            count: items.length - 1,
            end: () => call('DELETE /admins/moi/connexions', { query: { sauf: 'celle-ci' } }),
            label: 'Mettre fin à toutes les autres',
            question: {
              question: 'Mettre fin à toutes vos autres connexions\u202f?',
              consequence: 'Ces appareils redemanderont votre mot de passe, et votre compte les oubliera.',
              yes: 'Mettre fin',
            },
          }}
        />
      )}
    </LoadState>
  );
}

function OwnDevices() {
  const query = useQuestion(DEVICES, { isRefreshed: true });
  const askAgain = useAskAgain(DEVICES);
  return (
    <LoadState query={query} failed="Vos appareils n’ont pas pu être chargés.">
      {(items) =>
        items.length === 0 ? (
          <p className="well">Aucun appareil n’est connu{'\u202f'}: la prochaine connexion sera annoncée.</p>
        ) : (
          <Places
            items={items}
            askAgain={askAgain}
            mark={({ est_celui_ci }) => est_celui_ci && here('cet appareil')}
            endOne={({ id }) =>
              () =>
                call('DELETE /admins/moi/appareils/:id', { params: { id } })
              }
          />
        )
      }
    </LoadState>
  );
}

/** Form to change one’s own password. The old one is required: a portal left open must not give the account away. */
function OwnPassword() {
  const { say } = useNotices();
  const askAgain = useAskAgain(SIGN_INS, DEVICES);
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      const { ancien = '', nouveau = '' } = textsOf(element);
      return call('POST /admins/moi/mot-de-passe', { body: { ancien, nouveau } });
    },
    onDone: ({ message }, element) => {
      say(message);
      element.reset();
      void askAgain();
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
        <SubmitButton yes="Changer mon mot de passe" busy="Changement…" isBusy={isBusy} />
      </p>
    </form>
  );
}

/** Recovery codes, in case the telephone or the computer with the passkey is lost; shown only once. */
export function RecoveryCodes({ codes, onNoted }: { codes: readonly string[]; onNoted(): void }) {
  const id = useId();
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
    <section aria-labelledby={id} className="printed-alone well flex max-w-xl flex-col gap-5">
      <h2 ref={heading} id={id} tabIndex={-1} className="print:hidden">
        Notez vos dix codes de secours
      </h2>
      <div className="hidden print:block">
        {about.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <p className="print:hidden">
        Si vous perdez votre téléphone ou votre clé d’accès, chacun d’eux ouvre votre compte une fois, avec
        votre mot de passe. Gardez-les sur papier, ailleurs que lui{'\u202f'}: ils ne seront plus affichés.
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
        <Button onClick={onNoted}>C’est noté</Button>
        <Button quiet onClick={() => copy(codes.join('\n'))}>
          <Icon className="size-5" />
          {isCopied ? 'Copié' : 'Copier'}
        </Button>
        <Button quiet onClick={() => window.print()}>
          <Printer className="size-5" />
          Imprimer
        </Button>
        <Button quiet onClick={save}>
          <Download className="size-5" />
          Télécharger
        </Button>
      </div>
    </section>
  );
}

const HOW_TO_USE =
  'Sans votre téléphone ni votre clé d’accès, chacun ouvre votre compte une fois\u202f: rayez-le ensuite. Le panneau ' +
  '«\u00a0Mon compte\u00a0» dit combien il en reste. Gardez-les ailleurs que votre mot de passe.';

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
