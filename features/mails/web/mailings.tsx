import { Check, Copy, MailWarning, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { Mailing } from '#features/mails/calls.ts';
import { stayLabel } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { isLoopback } from '#platform/shared/hosts.ts';
import { MAIL_KINDS, MAIL_TROUBLES, type MailState } from '#platform/shared/mails.ts';
import type { Question } from '#platform/shared/page.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { countOf, numberText } from '#platform/web/ui/texts.ts';
import { useCopy } from '#platform/web/ui/useCopy.ts';

/* Mailings and their messages, as several panels show them. */

export const MAIL_SERVICE = { key: 'GET /messagerie' } as const satisfies Question;
export const MAILINGS = { key: 'GET /envois' } as const satisfies Question;

export type Message = NonNullable<CodesPreview['exemple']>;
export type CodesPreview = ReplyOf<'POST /stages/envoi-mots-de-passe/apercu'>;
export type OneMailing = ReplyOf<'GET /envois/:id'>;

export interface Shown {
  etat: MailState | '';
  /** Number of messages to skip. */
  apres: number;
}

/** Polling interval in ms of mailings under way. */
export const POLL_MS = 2_000;

export const RECIPIENTS: Record<PasswordType, string> = { stagiaire: 'Familles', formateur: 'Directeurs' };

/** Title of a mailing: its subject, or its kind once the subject is erased. */
export function titleOf({ objet, genre }: Pick<Mailing, 'objet' | 'genre'>): string {
  return objet ?? MAIL_KINDS[genre];
}

/** « Codes d’accès, aux directeurs ». */
export function natureOf({ genre, type }: Pick<Mailing, 'genre' | 'type'>): string {
  return type ? `${MAIL_KINDS[genre]}, aux ${RECIPIENTS[type].toLowerCase()}` : MAIL_KINDS[genre];
}

export function isUnderWay({ attente, envoi }: Pick<Mailing, 'attente' | 'envoi'>): boolean {
  return attente + envoi > 0;
}

function doneOf({ envoye, echec, annule }: Pick<Mailing, 'envoye' | 'echec' | 'annule'>): number {
  return envoye + echec + annule;
}

/** « 118 envoyés sur 120, 2 échecs ». */
function progressOf(mailing: Mailing): string {
  const { total, envoye, echec, annule } = mailing;
  const parts = [
    `${countOf(envoye, 'envoyé')} sur ${numberText(total)}`,
    ...(echec > 0 ? [countOf(echec, 'échec')] : []),
    ...(annule > 0 ? [countOf(annule, 'annulé')] : []),
  ];
  return parts.join(', ');
}

/** « encore 3 min environ ». */
function timeLeft(seconds: number): string {
  if (seconds < 60) return 'encore moins d’une minute';
  if (seconds < 3_600) return `encore ${Math.ceil(seconds / 60)}\u00a0min environ`;
  return `encore ${Math.ceil(seconds / 3_600)}\u00a0h environ`;
}

export function MailingProgress({ mailing }: { mailing: Mailing }) {
  const id = useId();
  const { total, reste_secondes } = mailing;
  return (
    <div>
      {isUnderWay(mailing) && (
        <progress className="bar" max={total} value={doneOf(mailing)} aria-labelledby={id} />
      )}
      <p id={id}>
        <span className="font-semibold">{progressOf(mailing)}</span>
        {reste_secondes !== null && <span className="text-quiet"> · {timeLeft(reste_secondes)}</span>}
      </p>
    </div>
  );
}

/** Steps announced to screen readers, in quarters: an announcement per second would be too much. */
const STEPS = 4;

/** Text for screen readers, which changes at each quarter and at the end. */
export function spokenProgress(mailing: Mailing): string {
  if (!isUnderWay(mailing)) return `Envoi terminé\u202f: ${progressOf(mailing)}.`;
  const quarters = Math.floor((doneOf(mailing) / mailing.total) * STEPS);
  return quarters === 0 ? 'Envoi en cours.' : `Envoi en cours\u202f: ${(quarters * 100) / STEPS}\u202f%.`;
}

/** Most stays named; the others are counted. */
const NAMED = 3;

/** The stays of a mailing in a few words; nothing for a mailing that has none. */
export function MailingStays({ mailing }: { mailing: Mailing }) {
  const { locale } = useSite();
  const { sejours, sejours_nombre } = mailing;
  if (sejours.length === 0) return null;
  const named = sejours.slice(0, NAMED).map((stay) => stayLabel(stay, locale));
  const others = sejours_nombre - named.length;
  return (
    <p>
      {named.join('\u202f; ')}
      {others > 0 && `\u202f; et ${countOf(others, 'autre séjour', 'autres séjours')}`}
    </p>
  );
}

const FORMS = { html: 'Mis en forme', texte: 'Texte seul' } as const;

export function MessageView({ message }: { message: Message }) {
  const [shown, setShown] = useState<keyof typeof FORMS>('html');
  return (
    <div className="card">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-b border-mist p-4 wrap-anywhere">
        <dt className="text-quiet">À</dt>
        <dd>{message.destinataire}</dd>
        <dt className="text-quiet">Objet</dt>
        <dd className="font-semibold">{message.objet}</dd>
      </dl>
      <div className="flex flex-wrap gap-2 border-b border-mist p-3">
        {Object.entries(FORMS).map(([form, label]) => (
          <button
            key={form}
            type="button"
            className={`button ${form === shown ? '' : 'quiet'}`}
            aria-pressed={form === shown}
            onClick={() => setShown(form as keyof typeof FORMS)}
          >
            {label}
          </button>
        ))}
        <CopyText text={message.texte} onRefused={() => setShown('texte')} />
      </div>
      {shown === 'html' ? (
        // Sandboxed: no script runs, and links open a new tab.
        <iframe
          title="Message mis en forme"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={message.html}
          className="h-120 w-full"
        />
      ) : (
        <p className="p-4 wrap-anywhere whitespace-pre-wrap">{message.texte}</p>
      )}
    </div>
  );
}

/** Copies the plain text to the clipboard; `onRefused` shows the text when the browser refuses. */
function CopyText({ text, onRefused }: { text: string; onRefused(): void }) {
  const { isCopied, isRefused, copy } = useCopy(onRefused);
  const Icon = isCopied ? Check : Copy;
  return (
    <>
      <Button quiet className="sm:ml-auto" onClick={() => copy(text)}>
        <Icon className="size-5" />
        {isCopied ? 'Copié' : 'Copier'}
      </Button>
      <p role="status" className={isRefused ? 'w-full font-semibold' : 'sr-only'}>
        {isCopied && 'Texte du message copié.'}
        {isRefused && 'Copie impossible\u202f: sélectionnez le texte ci-dessous.'}
      </p>
    </>
  );
}

/** Polling interval in ms while messages wait. */
const WAITING_POLL_MS = 10_000;

/** The trouble that keeps mails from being sent, if any, and how many may still be sent today. */
export function MailService() {
  const { data } = useQuestion(MAIL_SERVICE, {
    every: ({ configuree, en_attente }) => (configuree && en_attente > 0 ? WAITING_POLL_MS : false),
  });
  // A live region must be in the page before its text is.
  return (
    <>
      <div role="status" className="not-empty:mb-6">
        {data && <Trouble service={data} />}
      </div>
      <LocalLinks />
    </>
  );
}

/** Warns where links are about to be sent or printed that only this machine could open. */
export function LocalLinks() {
  const { publicUrl } = useSite();
  if (!isLoopback(new URL(publicUrl).hostname)) return null;
  return (
    <div className="mb-6">
      <Banner Icon={TriangleAlert}>
        <p className="font-semibold">
          Les liens mèneraient à {publicUrl}, que cette machine est seule à pouvoir ouvrir.
        </p>
        <p>Demandez à la personne qui héberge le site de régler l’adresse que les familles connaissent.</p>
      </Banner>
    </div>
  );
}

function Trouble({ service }: { service: ReplyOf<'GET /messagerie'> }) {
  const { configuree, panne, par_jour, partis } = service;
  if (!configuree) {
    return (
      <Banner Icon={MailWarning}>
        <p className="font-semibold">
          Aucun serveur d’envoi n’est réglé{'\u202f'}: les messages attendent dans «{'\u00a0'}E-mails envoyés
          {'\u00a0'}», où vous pouvez les lire et les copier.
        </p>
        <p>Demandez à la personne qui héberge le site d’en régler un.</p>
      </Banner>
    );
  }
  if (panne) {
    return (
      <Banner Icon={TriangleAlert}>
        <p className="font-semibold">
          Rien ne part pour le moment{'\u202f'}: {MAIL_TROUBLES[panne.erreur]}.
        </p>
        <p>
          Depuis le <Instant value={panne.depuis} />. Prochain essai le{' '}
          <Instant value={panne.prochain_essai} />. Rien n’est perdu{'\u202f'}: les messages attendent.
        </p>
      </Banner>
    );
  }
  if (par_jour === null) return null;
  if (partis < par_jour) {
    return (
      <p className="text-quiet">
        {numberText(partis)} sur {numberText(par_jour)} messages permis en 24 heures sont partis.
      </p>
    );
  }
  return (
    <Banner Icon={TriangleAlert}>
      <p className="font-semibold">Les {numberText(par_jour)} messages permis en 24 heures sont partis.</p>
      <p>Les suivants attendent, et partiront d’eux-mêmes.</p>
    </Banner>
  );
}

function Banner({ Icon, children }: { Icon: typeof MailWarning; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3 rounded-card border-2 border-sun bg-card p-4">
      <Icon className="mt-0.5 size-6 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}

const PURPOSES: Record<PasswordType, string> = {
  stagiaire: 'le mot de passe qui ouvre les photos',
  formateur: 'celui de la direction du séjour',
};

interface RecipientsFieldProps {
  type: PasswordType;
  /** Says which password each of them is sent. */
  isOfCodes: boolean;
  onChoose(type: PasswordType): void;
}

export function RecipientsField({ type, isOfCodes, onChoose }: RecipientsFieldProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-semibold">Destinataires</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {(Object.keys(PASSWORD_TYPES) as PasswordType[]).toReversed().map((value) => (
          <label key={value} className="choice flex! items-center gap-3">
            <input
              type="radio"
              name="type"
              value={value}
              checked={type === value}
              onChange={() => onChoose(value)}
              className="size-5 shrink-0"
            />
            <span>
              <span className="block font-semibold">{RECIPIENTS[value]}</span>
              {isOfCodes && <span className="text-sm text-quiet">{PURPOSES[value]}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
