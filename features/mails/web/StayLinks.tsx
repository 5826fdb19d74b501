import { useOnlyStay } from '#features/stays/web/stayPage.tsx';
import type { BodyOf, ReplyOf } from '#platform/shared/call.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { Tick } from '#platform/web/ui/Field.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { countOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { RECIPIENTS } from './mailings.tsx';

type StayLink = ReplyOf<'GET /stages/:id/liens'>[number];

/** The addresses that get the codes of the stay, one by one: who has opened it, on how many devices, and who is cut off. */
export function StayLinks() {
  return (
    <>
      <p className="mt-3 text-quiet">
        Avec les codes, chaque adresse reçoit un lien qui n’ouvre que pour elle. Il se coupe sans gêner les
        autres.
      </p>
      <Allowed />
      <LinksOf type="stagiaire" />
      <LinksOf type="formateur" />
    </>
  );
}

const ALLOWED = [
  {
    name: 'mot_de_passe_commun',
    label: 'Le mot de passe commun ouvre aussi le séjour aux familles',
    off: {
      question: 'Fermer le mot de passe commun\u202f?',
      consequence:
        'Seuls les liens des e-mails et des étiquettes ouvriront le séjour aux familles. Ce que le mot de passe a ouvert se ferme aussitôt.',
      yes: 'Fermer',
    },
  },
  { name: 'message_soir', label: 'Le soir, un message dit aux familles ce qui est nouveau' },
] as const;

/** What staff allow the families of the stay; each tick counts at once. */
function Allowed() {
  const stageId = useOnlyStay() ?? 0;
  const question = { key: 'GET /stages/:id/acces', params: { id: stageId } } as const;
  const query = useQuestion(question);
  const askAgain = useAskAgain(question);
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  const write = async (body: BodyOf<'PUT /stages/:id/acces'>) => {
    say((await call('PUT /stages/:id/acces', { params: { id: stageId }, body })).message);
    await askAgain();
  };
  return (
    <LoadState query={query} failed="Les accès n’ont pas pu être chargés.">
      {(allowed) => (
        <div className="mt-3">
          {ALLOWED.map(({ name, label, ...one }) => (
            <Tick
              key={name}
              checked={allowed[name]}
              aria-disabled={isBusy}
              onChange={() => {
                const ask = 'off' in one && allowed[name] ? one.off : undefined;
                if (!isBusy)
                  run(() => write({ [name]: !allowed[name] }), 'Erreur lors de l’enregistrement', ask);
              }}
            >
              {label}
            </Tick>
          ))}
        </div>
      )}
    </LoadState>
  );
}

function LinksOf({ type }: { type: PasswordType }) {
  const stageId = useOnlyStay() ?? 0;
  const question = { key: 'GET /stages/:id/liens', params: { id: stageId }, query: { type } } as const;
  const query = useQuestion(question, { isRefreshed: true });
  const askAgain = useAskAgain(question);
  return (
    <>
      <h3 className="mt-6 text-lg">{RECIPIENTS[type]}</h3>
      <LoadState query={query} failed="Les accès n’ont pas pu être chargés.">
        {(links) => {
          const paper = links.filter(({ enfant }) => enfant !== null);
          const mailed = links.filter(({ enfant }) => enfant === null);
          const rows = (some: readonly StayLink[]) => (
            <ul className="mt-3 divide-y divide-mist">
              {some.map((link) => (
                <LinkRow key={link.adresse} {...{ link, stageId, type }} onDone={askAgain} />
              ))}
            </ul>
          );
          return (
            <>
              {mailed.length === 0 ? (
                <p className="well mt-3">Aucune adresse n’est inscrite.</p>
              ) : (
                rows(mailed)
              )}
              {paper.length > 0 && (
                <details className="mt-3">
                  <summary className="min-h-11 content-center font-semibold">
                    Sur papier ({paper.length})
                  </summary>
                  {rows(paper)}
                </details>
              )}
            </>
          );
        }}
      </LoadState>
    </>
  );
}

interface LinkRowProps {
  link: StayLink;
  stageId: number;
  type: PasswordType;
  onDone(): Promise<unknown>;
}

function LinkRow({ link, stageId, type, onDone }: LinkRowProps) {
  const { adresse, enfant, coupe_le, envoye } = link;
  const whose = enfant ?? adresse;
  const renewing = envoye ? 'Nouveau lien' : 'Envoyer un lien';
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  const act = async (key: 'POST /stages/:id/liens/couper' | 'POST /stages/:id/liens/nouveau') => {
    say((await call(key, { params: { id: stageId }, body: { type, adresse } })).message);
    await onDone();
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 grow wrap-anywhere">
        <p className="font-semibold">{whose}</p>
        <p className="text-sm text-quiet">
          <LinkState link={link} />
          {link.soir_arret !== null && '. Message du soir refusé'}
        </p>
      </div>
      {enfant === null && (
        <Button
          quiet
          aria-disabled={isBusy}
          onClick={() =>
            run(() => act('POST /stages/:id/liens/nouveau'), 'Erreur lors de l’envoi du lien', {
              question: `Envoyer un lien à ${adresse}\u202f?`,
              consequence: envoye
                ? 'Le précédent n’ouvrira plus rien, et les appareils qu’il a ouverts se fermeront.'
                : 'Il part avec les codes du séjour.',
              yes: 'Envoyer',
            })
          }
        >
          {renewing}
          <span className="sr-only"> pour {adresse}</span>
        </Button>
      )}
      {coupe_le === null && envoye && (
        <Button
          danger
          aria-disabled={isBusy}
          onClick={() =>
            run(() => act('POST /stages/:id/liens/couper'), 'Erreur lors de la coupure de l’accès', {
              question: `Couper l’accès de ${whose}\u202f?`,
              consequence:
                'Son lien n’ouvre plus rien, et ses pages se ferment aussitôt. Le mot de passe du séjour, commun à toutes les familles, ouvre encore\u202f: changez-le s’il le faut.',
              yes: 'Couper',
            })
          }
        >
          Couper l’accès<span className="sr-only"> de {whose}</span>
        </Button>
      )}
    </li>
  );
}

function LinkState({ link: { envoye, ouvert_le, coupe_le, appareils } }: { link: StayLink }) {
  if (coupe_le !== null)
    return (
      <>
        Accès coupé le <Instant value={coupe_le} />
      </>
    );
  if (!envoye) return 'Aucun lien envoyé';
  if (ouvert_le === null) return 'Jamais ouvert';
  return (
    <>
      Ouvert le <Instant value={ouvert_le} />, {countOf(appareils, 'appareil')} en ce moment
    </>
  );
}
