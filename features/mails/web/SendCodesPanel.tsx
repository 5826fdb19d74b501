import { Eye, Send } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { Passwords } from '#features/stays/web/PasswordsPanel.tsx';
import { NOTHING_CHOSEN, StayListState, TickedGroups } from '#features/stays/web/StaySelect.tsx';
import { panelOf, useOnlyStay } from '#features/stays/web/stayPage.tsx';
import { COUNTED_STAYS, type CountedStay, mailingAddress, stayLabel } from '#features/stays/web/stays.ts';
import type { ClientBody, ReplyOf } from '#platform/shared/call.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { draftKey, useDraft } from '#platform/web/drafts.ts';
import { useSearch } from '#platform/web/history.tsx';
import { usePortalSession } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { useArrivalFocus, useLeading } from '#platform/web/ui/arrival.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { DraftBanner } from '#platform/web/ui/DraftBanner.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { FormButtons, fieldsOf, TextArea, TextField, Tick } from '#platform/web/ui/Field.tsx';
import { LongTextField } from '#platform/web/ui/LongTextField.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { countOf } from '#platform/web/ui/texts.ts';
import { textsOf, useAction, useForm, withTicks } from '#platform/web/ui/useForm.ts';
import { CODES_SUBJECT, SUBJECT_MAX, TEXT_MAX } from '../shared/terms.ts';
import {
  MAIL_SERVICE,
  MAILINGS,
  MailService,
  MessageView,
  RECIPIENTS,
  RecipientsField,
} from './mailings.tsx';
import { StayCounts, StaysWithCodes } from './StayCounts.tsx';
import { StayLinks } from './StayLinks.tsx';

export const SendCodesPanel = panelOf('Envoyer les codes', 'max-w-3xl', Codes);
export const FamilyWordPanel = panelOf('Écrire aux familles', 'max-w-3xl', FamilyWord);

export function StayCodes() {
  return (
    <div className="flex max-w-3xl flex-col gap-12">
      <Section id="mots-de-passe" title="Mots de passe">
        <Passwords />
      </Section>
      <Section id="envoyer-les-codes" title="Envoyer les codes" className="border-t border-mist pt-8">
        <Codes />
      </Section>
      <Section id="acces" title="Accès par adresse" className="border-t border-mist pt-8">
        <StayLinks />
      </Section>
    </div>
  );
}

function Codes() {
  return (
    <>
      <p className="mt-3 mb-6 text-quiet">
        Chaque adresse reçoit un message à elle seule{'\u202f'}: le numéro du séjour, son mot de passe et un
        lien pour se connecter.
      </p>
      <MailService />
      <StaysWithCodes>{(stays) => <StayMailing content="codes" stays={stays} />}</StaysWithCodes>
    </>
  );
}

function FamilyWord() {
  const query = useQuestion(COUNTED_STAYS);
  return (
    <>
      <p className="mt-3 mb-6 text-quiet">
        Chaque adresse reçoit un message à elle seule, sans mot de passe.
      </p>
      <MailService />
      <StayListState query={query}>{(stays) => <StayMailing content="mot" stays={stays} />}</StayListState>
    </>
  );
}

/** What is mailed about stays: their codes, or what staff write. */
type Content = 'codes' | 'mot';

const preview = (content: Content, body: MailingRequest) =>
  content === 'codes'
    ? call('POST /stages/envoi-mots-de-passe/apercu', { body })
    : call('POST /stages/message/apercu', { body });
const sendAll = (content: Content, body: MailingRequest) =>
  content === 'codes'
    ? call('POST /stages/envoi-mots-de-passe', { body })
    : call('POST /stages/message', { body });

const HELP = 'Il vient après «\u00a0Bonjour\u00a0». Les codes, le lien et la signature suivent d’eux-mêmes.';

interface StayMailingProps {
  content: Content;
  stays: readonly CountedStay[];
}

function StayMailing({ content, stays }: StayMailingProps) {
  const codes = useMailing(content, stays);
  const only = useOnlyStay();
  const { children } = codes;
  const { form, errors, isBusy, draft } = codes;
  const field = fieldsOf(errors, draft.values);
  const isAsked = content === 'codes' && children !== undefined;
  // Whoever comes for the codes of certain children has nothing to choose.
  useEffect(() => {
    if (isAsked) form.ref.current?.requestSubmit();
  }, [isAsked, form.ref]);
  return (
    <div className="flex flex-col gap-10">
      <form {...form} className="flex flex-col gap-6">
        <DraftBanner draft={draft} isNew onDiscard={codes.discardDraft} />
        <div inert={isBusy} className="flex flex-col gap-6">
          {children && (
            <p className="well">
              Seulement aux familles{' '}
              {children.length > 1 ? `des ${children.length} enfants cochés` : 'de l’enfant coché'}.
            </p>
          )}
          {!children && (
            <RecipientsField type={codes.type} onChoose={codes.chooseType} isOfCodes={content === 'codes'} />
          )}
          {only === undefined && !children && (
            <TickedGroups
              stays={stays}
              ticked={codes.stageIds}
              onTick={codes.tick}
              error={errors.stageIds}
              detail={(stay) => <span className="text-sm text-quiet">{peopleIn(stay, codes.type)}</span>}
            />
          )}
          <div
            key={draft.generation}
            className="flex flex-col gap-6"
            onInput={({ currentTarget }) => codes.typed(currentTarget)}
          >
            <TextField {...field('objet')} label="Objet" isRequired maxLength={SUBJECT_MAX} />
            {content === 'codes' ? (
              <TextArea {...field('texte')} label="Message" rows={5} maxLength={TEXT_MAX} help={HELP} />
            ) : (
              <LongTextField {...field('texte')} label="Message" isRequired max={TEXT_MAX} />
            )}
          </div>
          {content === 'codes' && (
            <Tick
              checked={codes.isOnlyMissing}
              onChange={({ target }) => codes.chooseOnlyMissing(target.checked)}
            >
              Seulement aux adresses qui n’ont pas reçu le mot de passe actuel
            </Tick>
          )}
        </div>
        <p className="border-t border-mist pt-6">
          <button type="submit" className={`button ${codes.preview ? 'quiet' : ''}`} aria-disabled={isBusy}>
            <Eye className="size-5" />
            {isBusy ? 'Préparation…' : 'Aperçu'}
          </button>
        </p>
      </form>
      {codes.preview && (
        <MailingPreview
          key={codes.preview.turn}
          {...codes.preview}
          content={content}
          onSent={codes.draft.drop}
        />
      )}
    </div>
  );
}

type MailingRequest = ClientBody<'POST /stages/envoi-mots-de-passe'> & ClientBody<'POST /stages/message'>;

interface PreviewedMailing {
  request: MailingRequest;
  preview: ReplyOf<'POST /stages/envoi-mots-de-passe/apercu'>;
  /** Number unique to each preview. */
  turn: number;
}

/** State of a mailing while it is composed; any change discards the preview, which no longer applies. */
function useMailing(content: Content, stays: readonly CountedStay[]) {
  const { username } = usePortalSession();
  const search = useSearch();
  const [type, setType] = useState<PasswordType>(
    search.get('type') === 'formateur' ? 'formateur' : 'stagiaire',
  );
  const [ticked, setTicked] = useState<readonly number[]>(() => search.getAll('sejour').map(Number));
  const [isOnlyMissing, setOnlyMissing] = useState(search.get('seulement') === 'non_recus');
  const [shown, setShown] = useState<PreviewedMailing>();
  const draft = useDraft(
    draftKey(username, content, undefined),
    { objet: content === 'codes' ? CODES_SUBJECT : '', texte: '' },
    undefined,
  );
  const chosen = search.getAll('enfant').map(Number);
  const children = chosen.length > 0 ? chosen : undefined;
  const { warn, clear } = useNotices();
  // The earliest first, without stays deleted meanwhile.
  const stageIds = stays
    .map(({ id }) => id)
    .filter((id) => ticked.includes(id))
    .toReversed();

  const { form, errors, isBusy } = useForm({
    send: async (element) => {
      if (stageIds.length === 0) throw new CallError(0, NOTHING_CHOSEN, { stageIds: NOTHING_CHOSEN });
      const request: MailingRequest = {
        type,
        stageIds,
        ...writtenIn(element),
        seulement: isOnlyMissing ? 'non_recus' : undefined,
        enfants: children,
      };
      return { request, preview: await preview(content, request) };
    },
    onDone: (previewed) => setShown({ ...previewed, turn: (shown?.turn ?? 0) + 1 }),
    failure: 'Erreur lors de la préparation des e-mails',
    onFailed: ({ message }) => {
      if (message === NOTHING_CHOSEN) warn(message);
      return message === NOTHING_CHOSEN;
    },
  });
  /** What no longer leaves the preview as it is. */
  const changing =
    <A extends unknown[]>(work: (...what: A) => void) =>
    (...what: A) => {
      setShown(undefined);
      work(...what);
    };
  return {
    form,
    // Hides the error once stays are chosen.
    errors: errors.stageIds === NOTHING_CHOSEN && stageIds.length > 0 ? {} : errors,
    isBusy,
    draft,
    children,
    type,
    stageIds,
    isOnlyMissing,
    preview: shown,
    chooseType: changing(setType),
    chooseOnlyMissing: changing(setOnlyMissing),
    tick: changing((ids: readonly number[], isTicked: boolean) => {
      if (errors.stageIds) clear();
      setTicked(withTicks(ticked, ids, isTicked));
    }),
    typed: changing((fields: HTMLElement) => {
      const element = fields.closest('form');
      if (element) draft.typed(writtenIn(element));
    }),
    discardDraft: changing(draft.discard),
  };
}

function writtenIn(form: HTMLFormElement): { objet: string; texte: string } {
  const { objet = '', texte = '' } = textsOf(form);
  return { objet, texte };
}

function peopleIn({ familles, directeurs }: CountedStay, type: PasswordType): string {
  if (type === 'stagiaire') return familles === 0 ? 'aucun enfant' : countOf(familles, 'enfant');
  return directeurs === 0 ? 'aucun directeur' : countOf(directeurs, 'directeur');
}

interface MailingPreviewProps extends Omit<PreviewedMailing, 'turn'> {
  content: Content;
  onSent(): void;
}

function MailingPreview({ content, request, preview, onSent }: MailingPreviewProps) {
  const heading = useArrivalFocus();
  const [isTrying, setTrying] = useState(false);
  const { isBusy, send } = useSending({ content, request, preview, onSent });
  const { nombre, par_sejour, exemple } = preview;
  return (
    <section className="flex flex-col gap-6">
      <div>
        <h2 ref={heading} tabIndex={-1} className="mb-2 scroll-mt-20">
          Aperçu
        </h2>
        <p className="font-semibold">
          {nombre === 0
            ? 'Aucun message à envoyer.'
            : `${countOf(nombre, 'message')}, pour ${countOf(par_sejour.length, 'séjour')}.`}
        </p>
      </div>
      <StayCounts stays={par_sejour} isOnlyMissing={request.seulement !== undefined} />
      {exemple && (
        <div>
          <h3 className="mb-2">Le premier message</h3>
          <MessageView message={exemple} />
        </div>
      )}
      {nombre > 0 && (
        <div inert={isBusy} className="flex flex-wrap gap-3 border-t border-mist pt-6">
          <Button aria-disabled={isBusy} onClick={send}>
            <Send className="size-5" />
            {isBusy ? 'Envoi…' : `Envoyer ${countOf(nombre, 'message')}`}
          </Button>
          <Button quiet onClick={() => setTrying(true)}>
            M’envoyer un essai
          </Button>
        </div>
      )}
      {isTrying && <TrialDialog content={content} request={request} onClose={() => setTrying(false)} />}
    </section>
  );
}

/** Most stays named in the confirmation question. */
const NAMED = 5;

function useSending({ content, request, preview, onSent }: MailingPreviewProps) {
  const navigate = useNavigate();
  const askAgain = useAskAgain(MAILINGS, MAIL_SERVICE);
  const { locale } = useSite();
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const stays = preview.par_sejour.filter(({ nombre }) => nombre > 0);
  const sendNow = async () => {
    const { message, id } = await sendAll(content, request);
    onSent();
    say(message);
    navigate(mailingAddress(id));
    await askAgain();
  };
  const send = () =>
    // What staff wrote they have just read; codes open something.
    run(sendNow, 'Erreur lors de l’envoi des e-mails', content === 'codes' ? wish : undefined);
  const wish = {
    question: `Envoyer ${countOf(preview.nombre, 'message')}\u202f?`,
    consequence: `Le mot de passe de chaque séjour part aux ${RECIPIENTS[request.type].toLowerCase()} de ce séjour. Un message parti ne se reprend pas.`,
    details: (
      <ul className="list-disc pl-5">
        {stays.slice(0, NAMED).map((stay) => (
          <li key={stay.id}>
            {stayLabel(stay, locale)} ({countOf(stay.nombre, 'adresse')})
          </li>
        ))}
        {stays.length > NAMED && (
          <li>et {countOf(stays.length - NAMED, 'autre séjour', 'autres séjours')}</li>
        )}
      </ul>
    ),
    yes: 'Envoyer',
  };
  return { isBusy, send };
}

interface TrialDialogProps {
  content: Content;
  request: MailingRequest;
  onClose(): void;
}

/** Asks for the address of a trial message, whose password opens nothing. */
function TrialDialog({ content, request, onClose }: TrialDialogProps) {
  const modal = useModal(onClose);
  const id = useId();
  const leading = useLeading();
  const { say } = useNotices();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      const { type, objet, texte, stageIds } = request;
      const { email = '' } = textsOf(element);
      const body = { type, objet, texte, email };
      if (content === 'mot') return call('POST /stages/message/essai', { body });
      const stageId = stageIds[0] as number;
      return call('POST /stages/envoi-mots-de-passe/essai', { body: { ...body, stageId } });
    },
    onDone: ({ message, id: mailing }) => {
      onClose();
      say(message, leading('Voir l’essai', mailingAddress(mailing)));
    },
    failure: 'Erreur lors de l’envoi de l’essai',
    onFailed: ({ champs }) => {
      // Notices are hidden behind the dialog: it stays open only for an error that can be corrected in it.
      if (champs.email === undefined) onClose();
      return champs.email !== undefined;
    },
  });
  return (
    <dialog {...modal} aria-labelledby={id} className="dialog max-w-md">
      <h2 id={id} className="text-xl">
        M’envoyer un essai
      </h2>
      <p className="mt-2 mb-4 text-quiet">
        Un seul message{content === 'codes' && ', avec un mot de passe qui n’ouvre rien'}, pour le voir comme
        il sera reçu.
      </p>
      <form {...form} className="flex flex-col gap-5">
        <TextField
          label="Adresse e-mail"
          name="email"
          type="email"
          isRequired
          isFirstFocus
          autoComplete="email"
          error={errors.email}
        />
        <FormButtons yes="Envoyer l’essai" busy="Envoi…" isBusy={isBusy} onCancel={onClose} />
      </form>
    </dialog>
  );
}
